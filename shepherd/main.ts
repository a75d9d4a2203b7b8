// Composition root of Shepherd: its store, its rooms, its listener, and the runtime behind the public SDK. Always true: the
// SDK is the only way to the runtime and this is the only file that knows it; when the connection ends for good, so does
// this process, and whoever supervises it decides what next. It decides nothing.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { uuidv7 } from 'uuidv7';
import {
  type Client,
  connect,
  type FloorConnection,
  type FloorHandle,
  type OverEvent,
  SdkError,
} from '../clients/sdk/index.js';
import type { SeatEntry } from '../protocol/seat.js';
import { Webhook } from './alert/webhook.js';
import { createHttp } from './http.js';
import { queueRoutes } from './http-queue.js';
import { routineRoutes } from './http-routine.js';
import type {
  Alert,
  Asked,
  Caller,
  FloorMessage,
  FloorOutcome,
  Runtime,
  RuntimeChange,
  WithdrawAnswer,
} from './port.js';
import { createShepherd } from './shepherd.js';
import { openStore } from './store/open.js';

export { ShepherdError } from './port.js';

export interface ShepherdOptions {
  /** Address of the runtime. */
  readonly runtime: string;
  /** A credential of kind shepherd. */
  readonly credential: string;
  /** Folder of the store, created 0700. */
  readonly dataDir: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly alerts?: AlertsTo;
  readonly log?: Logger | 'silent';
}

/** Where alerts are posted: an address, or a file whose first line is it, read anew for each post. */
export interface AlertsTo {
  readonly webhook: string | null;
  readonly webhookFile: string | null;
}

export interface RunningShepherd {
  /** Base URL of its own listener, without a final slash. */
  readonly address: string;
  /** Settles when the connection to the runtime has ended for good, with why; never when `stop` was called. */
  readonly ended: Promise<OverEvent>;
  /** Alerts are posted there from now on. */
  alertsTo(where: AlertsTo): void;
  stop(): Promise<void>;
}

/** A webhook that takes longer is tried again. */
const WEBHOOK_LIMIT_MS = 10_000;
const TICK_MS = 1_000;
/** Seats are listed anew this often, so that a lost event costs a second at most. */
const LOOK_MS = 1_000;

/** Starts Shepherd. Throws ShepherdError when its store can't be used, SdkError when the address is none. */
export async function startShepherd(options: ShepherdOptions): Promise<RunningShepherd> {
  const log =
    options.log === 'silent'
      ? pino({ level: 'silent' })
      : (options.log ?? pino({ level: 'warn', name: 'shepherd' }, process.stderr));
  const failed = (error: unknown) => log.error({ err: error }, 'a step of Shepherd failed');
  const store = openStore(join(options.dataDir, 'shepherd.db'));
  const runtime = new SdkRuntime(options.runtime, options.credential, failed);
  await runtime.look();
  const shared = { now: Date.now, id: uuidv7 };
  let alertsTo: AlertsTo = options.alerts ?? { webhook: null, webhookFile: null };
  const webhook = new Webhook({
    now: Date.now,
    after,
    failed,
    link: `${runtime.url}/`,
    address: () => addressOf(alertsTo),
    post: (url, body) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(WEBHOOK_LIMIT_MS),
      }),
  });
  const shepherd = createShepherd({ ...shared, runtime, store, after, webhook, failed });
  shepherd.roster.start();
  const http = await createHttp({
    runtime,
    routes: [
      queueRoutes({ ...shared, board: shepherd.board, rows: shepherd.rows, wakes: shepherd.wakes }),
      routineRoutes(shepherd.roster),
    ],
    failed,
  });
  const address = await http.listen(options.listen).catch((error: unknown) => {
    runtime.stop();
    store.close();
    throw error;
  });
  const ticker = setInterval(() => shepherd.tick(), TICK_MS);
  return {
    address,
    ended: runtime.ended,
    alertsTo: (where) => {
      alertsTo = where;
    },
    stop: async () => {
      clearInterval(ticker);
      webhook.stop();
      shepherd.stop();
      runtime.stop();
      await http.close();
      store.close();
    },
  };
}

/** The webhook's address; undefined when there is none, or its file can't be read. */
function addressOf({ webhook, webhookFile }: AlertsTo): string | undefined {
  if (webhookFile === null) return webhook ?? undefined;
  try {
    const [line = ''] = readFileSync(webhookFile, 'utf8').split('\n');
    return /^https?:\/\/\S+$/.test(line.trim()) ? line.trim() : undefined;
  } catch {
    return undefined;
  }
}

function after(ms: number, run: () => void): { cancel(): void } {
  const timer = setTimeout(run, ms);
  return { cancel: () => clearTimeout(timer) };
}

/** The runtime as Shepherd needs it, over the SDK. */
class SdkRuntime implements Runtime {
  readonly url: string;
  readonly ended: Promise<OverEvent>;
  readonly #client: Client;
  readonly #floor: FloorConnection;
  readonly #seats = new Map<string, SeatEntry>();
  readonly #listeners = new Set<(change: RuntimeChange) => void>();
  readonly #timer: ReturnType<typeof setInterval>;
  #connected = false;
  #looking = false;
  #stopped = false;

  constructor(
    url: string,
    credential: string,
    readonly failed: (error: unknown) => void,
  ) {
    this.#client = connect({ url, credential });
    this.url = this.#client.url;
    this.#floor = this.#client.floor({ resumeForMs: Number.POSITIVE_INFINITY });
    this.#floor.on('open', ({ resumed }) => {
      this.#connected = true;
      void this.look();
      this.#tell({ kind: 'connected', resumed });
    });
    this.#floor.on('lost', () => {
      this.#connected = false;
      this.#tell({ kind: 'lost' });
    });
    this.#floor.on('status', ({ seat, generation, ...status }) => this.#patch(seat, { generation, status }));
    this.#floor.on('presence', ({ seat, ...presence }) => this.#patch(seat, { presence }));
    this.#floor.on('ended', ({ seat }) => {
      if (this.#seats.delete(seat)) this.#tell({ kind: 'seat', seat });
    });
    this.#floor.watch('*').catch(() => {});
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
    this.ended = new Promise((resolve) => {
      void this.#floor.closed.then((event) => {
        this.#connected = false;
        if (!this.#stopped) resolve(event);
      });
    });
  }

  connected(): boolean {
    return this.#connected;
  }

  seats(): readonly SeatEntry[] {
    return [...this.#seats.values()];
  }

  seat(address: string): SeatEntry | undefined {
    return this.#seats.get(address);
  }

  listen(listener: (change: RuntimeChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  request({ waitMs, key, expectGeneration, expectTenure, ...message }: FloorMessage): Asked {
    const handle = this.#floor.request({
      ...message,
      wait_ms: waitMs,
      idempotency_key: key,
      // The envelope is Shepherd's own and names the row's sender; one line types also where pastes aren't framed.
      raw: true,
      ...(expectGeneration === undefined ? {} : { expect_generation: expectGeneration }),
      ...(expectTenure === undefined ? {} : { expect_tenure: expectTenure }),
    });
    return new SdkAsked(this.#floor, handle, false);
  }

  follow(seat: string, key: string): Asked {
    return new SdkAsked(this.#floor, this.#floor.follow(seat, key), true);
  }

  capture(seat: string, lines?: number) {
    return this.#client.capture(seat, lines);
  }

  async caller(credential: string): Promise<Caller | undefined> {
    try {
      const { kind, name, seat } = await connect({ url: this.url, credential }).whoami();
      return { kind, name, ...(seat === null ? {} : { seat }) };
    } catch (error) {
      const refused = error instanceof SdkError && (error.status === 401 || error.status === 429);
      if (refused) return undefined;
      throw error;
    }
  }

  async held(seat: string): Promise<number> {
    return (await this.#client.seats.status(seat)).held;
  }

  async alert({ cause, seat, routine, sinceAt, detail, cleared }: Alert): Promise<void> {
    await this.#client.request('POST', '/api/alerts', {
      cause,
      outcome: cleared ? 'cleared' : 'raised',
      since_at: sinceAt,
      ...(seat === undefined ? {} : { seat }),
      ...(routine === undefined ? {} : { routine }),
      ...(detail === undefined ? {} : { detail }),
    });
  }

  /** Lists the seats anew. Never rejects: without an answer what was heard last stands. */
  async look(): Promise<void> {
    if (this.#looking || this.#stopped) return;
    this.#looking = true;
    try {
      const list = await this.#client.seats.list();
      const gone = new Set(this.#seats.keys());
      for (const entry of list) {
        gone.delete(entry.seat);
        const before = this.#seats.get(entry.seat);
        this.#seats.set(entry.seat, entry);
        const same =
          before?.status.at === entry.status.at &&
          before.status.state === entry.status.state &&
          before.generation === entry.generation;
        if (!same) this.#tell({ kind: 'seat', seat: entry.seat });
      }
      for (const seat of gone) {
        this.#seats.delete(seat);
        this.#tell({ kind: 'seat', seat });
      }
    } catch {
      // the connection's own events say that the runtime is away
    } finally {
      this.#looking = false;
    }
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#floor.close();
  }

  #patch(seat: string, changes: Partial<SeatEntry>): void {
    const before = this.#seats.get(seat);
    // Of a seat that is new only the list knows everything.
    if (before === undefined) return void this.look();
    this.#seats.set(seat, { ...before, ...changes });
    this.#tell({ kind: 'seat', seat });
  }

  #tell(change: RuntimeChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.failed(error);
      }
    }
  }
}

const STATES: ReadonlySet<string> = new Set(['complete', 'held', 'failed', 'indeterminate']);

class SdkAsked implements Asked {
  readonly key: string;
  readonly outcome: Promise<FloorOutcome>;
  readonly #floor: FloorConnection;
  readonly #handle: FloorHandle;
  readonly #accepted: Promise<unknown>;

  constructor(floor: FloorConnection, handle: FloorHandle, followed: boolean) {
    this.#floor = floor;
    this.#handle = handle;
    this.key = handle.key;
    let open = false;
    this.#accepted = handle.once('accepted').then(() => {
      open = true;
    });
    this.outcome = handle.outcome.then(({ state, confirmed, reason, cause, bytes_written }) => ({
      // A word that this version doesn't know is no proof of anything.
      state: STATES.has(state) ? (state as FloorOutcome['state']) : 'indeterminate',
      confirmed,
      reason,
      bytesWritten: bytes_written,
      ...(cause === undefined ? {} : { cause }),
      ...(followed && !open ? { early: true } : {}),
    }));
    this.outcome.catch(() => {});
  }

  onConfirmed(listener: () => void): void {
    this.#handle.on('confirmed', listener);
  }

  async withdraw(): Promise<WithdrawAnswer> {
    const ended = this.#handle.outcome.then(
      () => {},
      () => {},
    );
    // What the runtime hasn't accepted yet has no name to withdraw it by.
    await Promise.race([this.#accepted, ended]);
    return this.#floor.withdraw(this.#handle, { superseded: true });
  }
}
