// Shepherd over a fake runtime and a fake clock, with a real store in a temporary folder: what it asks of the runtime is
// listed, and the test says what the runtime answers. `restart` is a Shepherd that was killed: nothing of the old one is told.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeatEntry } from '../../protocol/seat.js';
import type {
  Alert,
  Asked,
  Caller,
  FloorMessage,
  FloorOutcome,
  Runtime,
  RuntimeChange,
  WithdrawAnswer,
} from '../../shepherd/port.js';
import type { Actor } from '../../shepherd/queue/actor.js';
import { createShepherd, type Shepherd } from '../../shepherd/shepherd.js';
import { openStore, type Store } from '../../shepherd/store/open.js';

export const OPERATOR: Actor = { seat: undefined, operator: true, text: 'operator' };
export const as = (seat: string): Actor => ({ seat, operator: false, text: seat });

/** One request as the fake runtime has it. */
export class FakeAsked implements Asked {
  readonly key: string;
  readonly outcome: Promise<FloorOutcome>;
  /** How the runtime answers a withdrawal; `silent` never does. */
  onWithdraw: WithdrawAnswer | 'silent' = 'withdrawn';
  withdrawals = 0;
  over = false;
  #resolve: (outcome: FloorOutcome) => void = () => {};
  readonly #confirm: Array<() => void> = [];

  constructor(
    readonly message: FloorMessage,
    readonly followed: boolean,
  ) {
    this.key = message.key;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  onConfirmed(listener: () => void): void {
    this.#confirm.push(listener);
  }

  confirm(): void {
    for (const listener of this.#confirm) listener();
  }

  async withdraw(): Promise<WithdrawAnswer> {
    this.withdrawals++;
    if (this.onWithdraw === 'silent') return new Promise(() => {});
    if (this.onWithdraw === 'withdrawn') await this.end({ state: 'failed', reason: 'draft_wake_superseded' });
    return this.onWithdraw;
  }

  /** The runtime tells the outcome; resolves when Shepherd has dealt with it. */
  async end(outcome: Partial<FloorOutcome> & Pick<FloorOutcome, 'state' | 'reason'>): Promise<void> {
    this.over = true;
    this.#resolve({ confirmed: false, bytesWritten: 0, ...outcome });
    await turns();
  }

  typed(confirmed = true): Promise<void> {
    return this.end({
      state: 'complete',
      confirmed,
      reason: confirmed ? 'confirmed' : 'unconfirmed',
      bytesWritten: 9,
    });
  }
}

/** Enough turns of the microtask queue for what has been settled to be dealt with. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

export class FakeRuntime implements Runtime {
  readonly url = 'http://127.0.0.1:1';
  readonly asked: FakeAsked[] = [];
  readonly alerts: Alert[] = [];
  readonly known = new Map<string, SeatEntry>();
  /** How every request ends at once, by default not at all. */
  answer: (asked: FakeAsked) => void = () => {};
  readonly #listeners = new Set<(change: RuntimeChange) => void>();

  /** Held messages of every seat. */
  heldCount = 0;
  online = true;

  connected(): boolean {
    return this.online;
  }
  async held(): Promise<number> {
    return this.heldCount;
  }
  seats(): readonly SeatEntry[] {
    return [...this.known.values()];
  }
  seat(address: string): SeatEntry | undefined {
    return this.known.get(address);
  }
  listen(listener: (change: RuntimeChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  tell(change: RuntimeChange): void {
    for (const listener of this.#listeners) listener(change);
  }
  request(message: FloorMessage): Asked {
    const asked = new FakeAsked(message, false);
    this.asked.push(asked);
    this.answer(asked);
    return asked;
  }
  follow(seat: string, key: string): Asked {
    const message = { seat, key, origin: 'wake', body: '', priority: 'routine', waitMs: 0 } as const;
    const asked = new FakeAsked(message, true);
    this.asked.push(asked);
    this.answer(asked);
    return asked;
  }
  capture(): Promise<never> {
    return Promise.reject(new Error('no screen'));
  }
  async caller(): Promise<Caller | undefined> {
    return undefined;
  }
  async alert(alert: Alert): Promise<void> {
    this.alerts.push(alert);
  }

  /** The seat has this status from now on. Tells nobody unless asked to. */
  set(seat: string, state: 'idle' | 'working' | 'blocked' | 'unknown', at: number, told = true): void {
    const status = {
      state,
      source: 'program_status',
      at: new Date(at).toISOString(),
      offset: 0,
      hard: true,
      detail: '',
      turns: 0,
    };
    const presence = {
      recent: false,
      composing: false,
      last_key_at: null,
      last_activity_at: null,
      ledger: 'empty' as const,
      operators: 0,
      viewers: 0,
    };
    const floor = {
      holder: null,
      waiting: 0,
      reason: null,
      since: null,
      lifecycle_owed: false,
      unsubmitted_since: null,
    };
    const known = { seat, kind: 'agent', session: seat, generation: 1, typing_guard: 'off' };
    this.known.set(seat, { ...known, status, presence, floor } as SeatEntry);
    if (told) this.tell({ kind: 'seat', seat });
  }
}

export class Rig {
  readonly folder = mkdtempSync(join(tmpdir(), 'openfloor-queue-'));
  now = 1_700_000_000_000;
  runtime = new FakeRuntime();
  readonly errors: unknown[] = [];
  store!: Store;
  shepherd!: Shepherd;
  #id = 0;
  #timers: Array<{ at: number; run: () => void }> = [];

  constructor() {
    this.start();
  }

  start(): void {
    this.store = openStore(join(this.folder, 'shepherd.db'));
    this.shepherd = createShepherd({
      runtime: this.runtime,
      store: this.store,
      now: () => this.now,
      id: () => `id-${String(++this.#id).padStart(8, '0')}`,
      after: (ms, run) => {
        const timer = { at: this.now + ms, run };
        this.#timers.push(timer);
        return { cancel: () => void (this.#timers = this.#timers.filter((one) => one !== timer)) };
      },
      failed: (error) => this.errors.push(error),
    });
  }

  /** Time goes on, a tick each second. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    while (this.now < end) {
      this.now = Math.min(end, this.now + 1_000);
      const due = this.#timers.filter(({ at }) => at <= this.now);
      this.#timers = this.#timers.filter(({ at }) => at > this.now);
      for (const { run } of due) run();
      this.shepherd.tick();
      await turns();
    }
  }

  /** Time goes on in one step, and then there is one tick. */
  async skip(ms: number): Promise<void> {
    this.now += ms;
    this.shepherd.tick();
    await turns();
  }

  kill(): void {
    this.shepherd.stop();
    this.store.close();
    this.runtime = new FakeRuntime();
    this.#timers = [];
  }

  create(destination: string, more: object = {}, actor = OPERATOR, wake = true) {
    return this.shepherd.board.create({ destination, summary: 'look', ...more }, actor, wake).row;
  }

  row(id: string) {
    return this.shepherd.board.get(id, OPERATOR);
  }

  /** Requests that wait with the runtime. */
  get waiting(): FakeAsked[] {
    return this.runtime.asked.filter(({ over }) => !over);
  }

  close(): void {
    this.shepherd.stop();
    this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
    if (this.errors.length > 0) throw this.errors[0];
  }
}
