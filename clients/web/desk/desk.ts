// What the page knows of all seats, live: the list, the floor plane, the audit feed and each seat's timeline. Always true: it
// shows what the public API told and nothing else; a lost connection is told and mended by itself; lists are bounded.
// Listeners are told of a change at most once a turn.
import type { AuditRecordValue } from '../../../protocol/audit.js';
import type { SeatEntry } from '../../../protocol/seat.js';
import type { FloorAnswer } from '../../../protocol/transport.js';
import type { AuditFollow, Client, FloorConnection } from '../../sdk/index.js';
import { SdkError } from '../../sdk/index.js';
import {
  emptyTimeline,
  seeEnd,
  seeKey,
  seeRecord,
  seeStatus,
  seeWaiting,
  type Timeline,
} from '../timeline/model.js';

export interface SeatState extends SeatEntry {
  held: number;
  readonly timeline: Timeline;
  /** The last answer of the floor for this seat: what waits and why. */
  floorAnswer: FloorAnswer | undefined;
}

export type Line = { readonly kind: 'opening' | 'live' } | { readonly kind: 'lost'; readonly reason: string };

const POLL_MS = 2_000;
/** Events come in bursts; one look for all of them. */
const SOON_MS = 120;
const RECORDS = 1_000;
/** History of the feed that a page begins with. */
const HISTORY = 400;

export class Desk {
  readonly seats = new Map<string, SeatState>();
  readonly records: AuditRecordValue[] = [];
  line: Line = { kind: 'opening' };
  /** Set when the credential is no longer taken. */
  refused: SdkError | undefined;
  /** True once the seats have been listed. */
  listed = false;
  readonly #listeners = new Set<() => void>();
  readonly #timelines = new Map<string, Timeline>();
  #floor: FloorConnection | undefined;
  #feed: AuditFollow | undefined;
  #poll: ReturnType<typeof setInterval> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #told = false;
  #listing = false;

  constructor(readonly client: Client) {}

  start(): void {
    this.#poll = setInterval(() => document.hidden || void this.#list(), POLL_MS);
    document.addEventListener('visibilitychange', this.#shown);
    void this.#list();
    this.#watch();
    void this.#follow();
  }

  stop(): void {
    clearInterval(this.#poll);
    clearTimeout(this.#soon);
    document.removeEventListener('visibilitychange', this.#shown);
    this.#floor?.close();
    this.#feed?.close();
    this.#listeners.clear();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  timeline(seat: string): Timeline {
    const known = this.#timelines.get(seat);
    if (known) return known;
    const made = emptyTimeline();
    this.#timelines.set(seat, made);
    return made;
  }

  /** A key was typed here: told at once, the server's own word comes later. */
  typed(seat: string): void {
    seeKey(this.timeline(seat), Date.now());
    this.#tell();
  }

  /** Something changed that the list shows: look again, soon. */
  look(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.#list();
    }, SOON_MS);
  }

  /** Asks the floor of this seat what waits and why. */
  async explain(seat: string): Promise<FloorAnswer | undefined> {
    try {
      const answer = await this.client.seats.floor(seat);
      seeWaiting(this.timeline(seat), answer.waiting, Date.now());
      const state = this.seats.get(seat);
      if (state) state.floorAnswer = answer;
      this.#tell();
      return answer;
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  async #list(): Promise<void> {
    if (this.#listing) return;
    this.#listing = true;
    try {
      const entries = await this.client.seats.list();
      const now = Date.now();
      for (const seat of [...this.seats.keys()]) {
        if (entries.some((entry) => entry.seat === seat)) continue;
        seeEnd(this.timeline(seat), now);
        this.seats.delete(seat);
      }
      for (const entry of entries) this.#seen(entry, now);
      this.listed = true;
      this.#tell();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#listing = false;
    }
  }

  #seen(entry: SeatEntry, now: number): void {
    const before = this.seats.get(entry.seat);
    const timeline = this.timeline(entry.seat);
    const state: SeatState = {
      ...entry,
      held: before?.held ?? 0,
      timeline,
      floorAnswer: before?.floorAnswer,
    };
    this.seats.set(entry.seat, state);
    seeStatus(timeline, entry.status, now);
    if (entry.presence.last_key_at) seeKey(timeline, Date.parse(entry.presence.last_key_at));
    if (before === undefined) void this.#countHeld(entry.seat);
    const waited = before !== undefined && before.floor.waiting > 0;
    if (entry.floor.waiting > 0) void this.explain(entry.seat);
    else if (waited) seeWaiting(timeline, [], now);
  }

  async #countHeld(seat: string): Promise<void> {
    try {
      const { total } = await this.client.seats.held(seat, { limit: 1 });
      const state = this.seats.get(seat);
      if (state) state.held = total;
      this.#tell();
    } catch (error) {
      this.#failed(error);
    }
  }

  #watch(): void {
    const floor = this.client.floor();
    this.#floor = floor;
    floor.on('open', () => this.#lineIs({ kind: 'live' }));
    floor.on('lost', ({ reason }) => this.#lineIs({ kind: 'lost', reason }));
    floor.on('close', ({ error }) => {
      if (error) this.#lineIs({ kind: 'lost', reason: error.message });
    });
    floor.on('status', ({ seat, ...status }) => {
      seeStatus(this.timeline(seat), status, Date.now());
      const state = this.seats.get(seat);
      if (state) this.seats.set(seat, { ...state, status });
      this.look();
      this.#tell();
    });
    floor.on('presence', ({ seat, ...presence }) => {
      if (presence.last_key_at) seeKey(this.timeline(seat), Date.parse(presence.last_key_at));
      const state = this.seats.get(seat);
      if (state) this.seats.set(seat, { ...state, presence });
      this.look();
      this.#tell();
    });
    floor.on('ended', () => this.look());
    floor.watch('*').catch((error: unknown) => this.#failed(error));
  }

  async #follow(): Promise<void> {
    try {
      const { head } = await this.client.audit.page({ limit: 1 });
      const feed = this.client.audit.follow(Math.max(0, head - HISTORY));
      this.#feed = feed;
      feed.on('record', (record) => this.#record(record));
    } catch (error) {
      this.#failed(error);
    }
  }

  #record(record: AuditRecordValue): void {
    this.records.push(record);
    if (this.records.length > RECORDS) this.records.splice(0, this.records.length - RECORDS);
    if (record.seat !== undefined) {
      seeRecord(this.timeline(record.seat), record);
      if (/held/.test(record.kind)) void this.#countHeld(record.seat);
      this.look();
    }
    this.#tell();
  }

  #lineIs(line: Line): void {
    this.line = line;
    if (line.kind === 'live') this.look();
    this.#tell();
  }

  #failed(error: unknown): void {
    if (!(error instanceof SdkError)) throw error;
    if (error.status === 401) this.refused = error;
    else if (error.reason === 'unreachable' || error.reason === 'timeout') {
      this.line = { kind: 'lost', reason: error.message };
    }
    this.#tell();
  }

  readonly #shown = (): void => {
    if (!document.hidden) this.look();
  };

  #tell(): void {
    if (this.#told) return;
    this.#told = true;
    queueMicrotask(() => {
      this.#told = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}
