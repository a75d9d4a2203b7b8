// Who sits in a session, and who stands by: the agent's status, people's presence, the ledger of their drafts. Always true:
// operators' bytes are on their way before this hears of them; status and ledger belong to the tenure; what changed is told
// once. It grants nothing: the floor reads it.
import type { DialogValue, PresenceValue, StatusValue } from '../../protocol/status.js';
import { EMPTY_LEDGER, type Ledger, ledgerAfter, ledgerDueMs } from '../input/ledger.js';
import {
  isComposing,
  isRecent,
  NOBODY,
  type Presence,
  presenceAfter,
  presenceDeadlineMs,
} from '../input/presence.js';
import { presenceOf, type Segment } from '../input/segment.js';
import type { Reading } from '../screen/port.js';
import { escapeText } from '../status/sequence.js';
import type { InterruptKey, Status, StatusChange } from '../status/status.js';
import { AgentWatch, type AgentWatchPort, type WatchPack } from './agent-watch.js';
import type { Client } from './client.js';
import { evidenceOf, ScreenView } from './screen-view.js';
import type { Session, SessionWatcher } from './session.js';

export interface OccupantSettings {
  readonly humanQuietMs: number;
  readonly carriers: readonly string[];
}

export interface OccupantPort<Pack extends WatchPack> {
  readonly facts: AgentWatchPort<Pack>['facts'];
  /** Milliseconds since the epoch. */
  now(): number;
  packs(): readonly Pack[];
  settings(): OccupantSettings;
  changed(occupant: Occupant<Pack>, change: OccupantChange): void;
  output(offset: number): void;
  modesChanged(): void;
  /** A client has attached and knows the status. */
  joined(client: Client): void;
  /** How the screen of the agent that was recognised is read; undefined without one. */
  readingPack(occupant: Occupant<Pack>): Parameters<Session['screen']['setPack']>[0];
}

export type OccupantChange =
  | { readonly kind: 'status'; readonly status: Status; readonly changes: readonly StatusChange[] }
  | { readonly kind: 'presence' }
  | { readonly kind: 'operator'; readonly segments: readonly Segment[] }
  | { readonly kind: 'reading'; readonly reading: Reading };

/** Presence is told to clients when it changes, and its times at most this often. */
const PRESENCE_TOLD_MS = 1_000;

export class Occupant<Pack extends WatchPack = WatchPack> implements SessionWatcher {
  readonly watch: AgentWatch<Pack>;
  readonly screen = new ScreenView();
  #ledger: Ledger = EMPTY_LEDGER;
  #presence: Presence = NOBODY;
  #recent = false;
  /** Instance of the dialog that clients were told of. */
  #dialogTold: string | undefined;
  #quiet: (() => void) | undefined;
  #drawn: (() => void) | undefined;
  #toldAt = 0;

  constructor(
    readonly session: Session,
    readonly port: OccupantPort<Pack>,
  ) {
    const { clock } = session.port;
    this.watch = new AgentWatch<Pack>({
      facts: port.facts,
      now: port.now,
      after: clock.after,
      later: clock.later,
      leaderPid: () => session.pid,
      offset: () => session.ring.end,
      packs: port.packs,
      carriers: () => port.settings().carriers,
      changed: (changes) => this.#statusChanged(changes),
    });
  }

  get status(): Status {
    return this.watch.status;
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  get presence(): Presence {
    return this.#presence;
  }

  statusValue(): StatusValue {
    return statusValue(this.status, this.watch.pack?.name);
  }

  /** The dialog on the screen as far as the last reading knows; its text is untrusted and escaped. */
  dialogValue(): DialogValue | undefined {
    const { reading } = this.session.screen;
    const view = reading && this.screen.dialog(reading, tenureOf(this.status));
    if (view === undefined || reading?.dialog === undefined) return undefined;
    const { kind, question, options, truncated } = reading.dialog;
    return {
      instance: view.instance,
      kind,
      question: escapeText(question),
      options: options.map((option) => ({ label: escapeText(option.label), class: option.class })),
      truncated,
    };
  }

  presenceValue(): PresenceValue {
    const now = this.port.now();
    const iso = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
    const typists = this.session.audience.typists.length;
    return {
      recent: isRecent(this.#presence, this.port.settings().humanQuietMs, now),
      composing: isComposing(this.#presence, now),
      last_key_at: iso(this.#presence.keyAtMs),
      last_activity_at: iso(this.#presence.activityAtMs),
      ledger: this.#ledger.kind,
      operators: typists,
      viewers: this.session.audience.size - typists,
    };
  }

  /** What a client that has just attached should know. */
  joined(client: Client): void {
    const seat = this.session.spec.name;
    client.send({ v: 1, type: 'status', seat, ...this.statusValue() });
    const dialog = this.dialogValue();
    if (dialog) client.send({ v: 1, type: 'dialog', seat, open: true, ...dialog });
    this.port.joined(client);
    this.#tellPresence();
  }

  output(offset: number): void {
    this.port.output(offset);
  }

  osc(code: number, body: string): void {
    this.watch.sequence(code, body);
  }

  bell(): void {}

  reset(): void {
    this.watch.reset();
  }

  modesChanged(): void {
    this.port.modesChanged();
  }

  operator(_client: Client, segments: readonly Segment[]): void {
    const atMs = this.port.now();
    const offset = this.session.ring.end;
    if (this.status.state === 'blocked' && segments.some((segment) => presenceOf(segment) === 'keystroke')) {
      this.screen.dialogMoved();
    }
    for (const segment of segments) {
      this.#presence = presenceAfter(this.#presence, { kind: 'input', segment, atMs });
      this.#ledger = ledgerAfter(this.#ledger, { kind: 'input', segment, offset, atMs });
      if (segment.key === 'enter') this.watch.operatorEnter();
      else if (segment.key !== undefined) {
        const interrupt = INTERRUPTS[segment.key];
        if (interrupt) this.watch.operatorInterrupt(interrupt);
      }
    }
    this.#presenceMoved();
    this.#tellDialog();
    this.port.changed(this, { kind: 'operator', segments });
  }

  composing(client: Client, active: boolean): void {
    const event = {
      kind: 'composing',
      client: String(client.identity.id),
      active,
      atMs: this.port.now(),
    } as const;
    this.#presence = presenceAfter(this.#presence, event);
    this.#presenceMoved();
  }

  left(client: Client): void {
    this.#presence = presenceAfter(this.#presence, { kind: 'left', client: String(client.identity.id) });
    this.#presenceMoved();
    if (this.session.audience.size > 0) this.#tellPresence();
  }

  reading(reading: Reading): void {
    if (this.watch.pack) this.watch.reading(evidenceOf(reading, this.port.now()));
    this.#composerRead(reading.composer.kind, reading.offset);
    this.#tellDialog();
    this.port.changed(this, { kind: 'reading', reading });
  }

  /** Tells clients of a dialog that is another instance, and of its end. */
  #tellDialog(): void {
    const dialog = this.dialogValue();
    if (dialog?.instance === this.#dialogTold) return;
    this.#dialogTold = dialog?.instance;
    const base = { v: 1, type: 'dialog', seat: this.session.spec.name } as const;
    this.session.audience.broadcast(dialog ? { ...base, open: true, ...dialog } : { ...base, open: false });
  }

  /** The screen model's word on the composer at a reading's offset; one that comes too soon after a key is asked again. */
  #composerRead(composer: 'empty' | 'draft' | 'unknown', offset: number): void {
    const before = this.#ledger;
    const received = this.session.ring.end;
    const atMs = this.port.now();
    this.#ledger = ledgerAfter(before, { kind: 'reading', composer, offset, received, atMs });
    if (before.kind !== this.#ledger.kind) this.#tellPresence();
    const due = composer === 'empty' ? ledgerDueMs(this.#ledger) : undefined;
    this.#drawn?.();
    this.#drawn = undefined;
    if (due === undefined || due <= atMs) return;
    this.#drawn = this.session.port.clock.after(due - atMs, () => {
      this.#drawn = undefined;
      const { reading } = this.session.screen;
      if (reading) this.#composerRead(reading.composer.kind, reading.offset);
    });
  }

  tick(): void {
    this.watch.tick();
  }

  end(): void {
    this.watch.end();
    this.#quiet?.();
    this.#drawn?.();
  }

  #statusChanged(changes: readonly StatusChange[]): void {
    const before = this.#ledger;
    for (const change of changes) {
      if (change.type === 'turn_started') this.#ledger = ledgerAfter(this.#ledger, { kind: 'turn-started' });
      else if (change.type === 'status' && tenureOf(change.previous) !== tenureOf(change.status)) {
        this.#ledger = ledgerAfter(this.#ledger, { kind: 'tenure-changed' });
        this.session.screen.setPack(this.port.readingPack(this));
      }
    }
    const { status } = this;
    const seat = this.session.spec.name;
    if (changes.some((change) => change.type === 'status' && change.previous.state === 'blocked'))
      this.screen.dialogMoved();
    if (changes.some((change) => change.type === 'status')) {
      this.session.audience.broadcast({ v: 1, type: 'status', seat, ...this.statusValue() });
    }
    if (before.kind !== this.#ledger.kind) this.#tellPresence();
    this.#tellDialog();
    this.port.changed(this, { kind: 'status', status, changes });
  }

  #presenceMoved(): void {
    const now = this.port.now();
    const { humanQuietMs } = this.port.settings();
    const recent = isRecent(this.#presence, humanQuietMs, now);
    const due = presenceDeadlineMs(this.#presence, humanQuietMs, now);
    this.#quiet?.();
    this.#quiet = undefined;
    if (due !== undefined) {
      this.#quiet = this.session.port.clock.after(due - now, () => this.#presenceMoved());
    }
    if (recent !== this.#recent || now - this.#toldAt >= PRESENCE_TOLD_MS) {
      this.#recent = recent;
      this.#tellPresence();
    }
  }

  #tellPresence(): void {
    this.#toldAt = this.port.now();
    const seat = this.session.spec.name;
    this.session.audience.broadcast({ v: 1, type: 'presence', seat, ...this.presenceValue() });
    this.port.changed(this, { kind: 'presence' });
  }
}

const INTERRUPTS: Readonly<Partial<Record<string, InterruptKey>>> = { escape: 'escape', interrupt: 'ctrl_c' };

/** The tenure as one text: pid and start time. */
export function tenureOf(status: Status): string | undefined {
  return status.tenure && `${status.tenure.pid}.${status.tenure.startTime}`;
}

export function statusValue(status: Status, agent: string | undefined): StatusValue {
  const { state, kind, source, at, offset, hard, detail, done, background, turns, cause } = status;
  const tenure = tenureOf(status);
  return {
    state,
    source,
    at: new Date(at).toISOString(),
    offset,
    hard,
    detail,
    turns,
    ...(kind === undefined ? {} : { kind }),
    ...(done === undefined ? {} : { done }),
    ...(background === undefined ? {} : { background }),
    ...(cause === undefined ? {} : { cause }),
    ...(agent === undefined ? {} : { agent }),
    ...(tenure === undefined ? {} : { tenure }),
  };
}
