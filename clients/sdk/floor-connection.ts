// The floor plane as a client uses it: requests, answers, withdrawals and watched seats over one connection. Always true:
// every request has an idempotency key, so that after a lost connection it is found again and never typed twice; what is
// asked while no connection is up is asked when there is one; the events end with one `close`.
import { uuidv7 } from 'uuidv7';
import type { PlainMap } from '../../protocol/codec.js';
import type { FloorRequest, FloorServerMessage } from '../../protocol/floor-plane.js';
import { FLOOR_PROTOCOL } from '../../protocol/plane.js';
import type { PresenceValue, StatusValue } from '../../protocol/status.js';
import { Emitter } from './emitter.js';
import { SdkError } from './error.js';
import { FloorHandle } from './floor-handle.js';
import { type LostEvent, type OverEvent, Plane, type PlaneOptions, type PlanePort } from './plane.js';

export type FloorMessage = Omit<FloorRequest, 'type' | 'ref'>;
/** An answer to a dialog that is on the screen. */
export interface DialogAnswer {
  readonly seat: string;
  readonly dialog: string;
  readonly choice: 'allow_once' | 'deny_once';
  readonly expect_generation?: number;
}
export type WithdrawAnswer = 'withdrawn' | 'already_granted' | 'unknown';

export interface FloorEvents {
  open: { readonly resumed: boolean };
  status: { readonly seat: string; readonly generation: number } & StatusValue;
  presence: { readonly seat: string } & PresenceValue;
  /** The session in a watched seat is over. */
  ended: { readonly seat: string };
  /** The server refused something that nobody waits for, for example a seat watched again that is gone. */
  fault: { readonly reason: string; readonly error: string; readonly next: string };
  lost: LostEvent;
  close: OverEvent;
}

/** A ping keeps the way open and shows that the peer lives. */
const HEARTBEAT_MS = 15_000;
const SILENT_HEARTBEATS = 3;
/** Ended requests whose late confirmation is still told; the oldest is forgotten. */
const UNCONFIRMED = 1_000;

type Waiter = (message: FloorServerMessage) => void;

interface Entry {
  readonly handle: FloorHandle;
  /** As sent first, and again when its acceptance was never heard. */
  readonly message: PlainMap;
  sent: boolean;
}

export class FloorConnection extends Emitter<FloorEvents> {
  /** The end, whatever it was; never rejects. */
  readonly closed: Promise<OverEvent>;
  readonly #plane: Plane;
  #ref = 0;
  /** Requests that have no outcome. */
  readonly #open = new Set<Entry>();
  readonly #byId = new Map<string, Entry>();
  readonly #byRef = new Map<number, Waiter>();
  /** Questions that wait for a connection or an answer. */
  readonly #asked = new Set<{ readonly send: () => void; readonly fail: (error: SdkError) => void }>();
  readonly #watched = new Set<string>();
  readonly #timer: ReturnType<typeof setInterval>;
  #silent = 0;
  #over: SdkError | undefined;

  constructor(port: Omit<PlanePort, 'url' | 'protocol'> & { url: string }, options: PlaneOptions) {
    super();
    this.closed = this.once('close');
    this.#timer = setInterval(() => this.#beat(), HEARTBEAT_MS);
    const events = {
      open: (resumed: boolean) => this.#opened(resumed),
      message: (message: PlainMap) => this.#message(message as unknown as FloorServerMessage),
      lost: (event: LostEvent) => this.#lost(event),
      over: (event: OverEvent) => this.#ended(event),
    };
    this.#plane = new Plane({ ...port, protocol: FLOOR_PROTOCOL, url: () => port.url }, options, events);
  }

  /** Asks for the floor. Without a key the request gets one of its own. */
  request(message: FloorMessage): FloorHandle {
    const key = message.idempotency_key ?? uuidv7();
    return this.#submit(message.seat, key, { ...message, type: 'request', idempotency_key: key });
  }

  /**
   * A request that this credential made before, by its key: followed, never made. Its outcome is `failed` with
   * `request_not_found` when the server knows none.
   */
  follow(seat: string, key: string): FloorHandle {
    return this.#submit(seat, key, { type: 'watch', requests: [{ seat, idempotency_key: key }] });
  }

  /** Answers a dialog; the keys are the pack's. A lost connection leaves the outcome unknown. */
  answer(answer: DialogAnswer): FloorHandle {
    return this.#submit(answer.seat, '', { ...answer, type: 'answer' });
  }

  async withdraw(
    handle: FloorHandle,
    options: { readonly superseded?: boolean } = {},
  ): Promise<WithdrawAnswer> {
    const { id, seat } = handle;
    if (handle.ended !== undefined || id === undefined) return 'unknown';
    const [answer] = await this.#ask({ type: 'withdraw', seat, id, ...options }, 'withdrawn');
    return answer.answer;
  }

  /**
   * Status and presence of these seats from now on, `*` for all that the credential sees. Resolves when their present
   * state has been told; rejects when one of them is none.
   */
  async watch(seats: readonly string[] | '*'): Promise<void> {
    const names = seats === '*' ? ['*'] : [...seats];
    let refused: SdkError | undefined;
    const watch = { type: 'watch', seats: names } as const;
    // The server takes messages in order: its pong says that the watch is done.
    await this.#ask({ type: 'ping' }, 'pong', () => {
      const ref = this.#send(watch, (message) => {
        if (message.type === 'error') refused ??= faultOf(message);
      });
      return () => this.#byRef.delete(ref);
    });
    if (refused) throw refused;
    for (const name of names) this.#watched.add(name);
  }

  close(): void {
    this.#plane.close();
  }

  #submit(seat: string, key: string, message: PlainMap): FloorHandle {
    const handle = new FloorHandle(seat, key);
    if (this.#over) {
      handle.abandon(this.#over);
      return handle;
    }
    const entry: Entry = { handle, message, sent: false };
    this.#open.add(entry);
    if (this.#plane.isOpen) this.#sendEntry(entry);
    return handle;
  }

  #sendEntry(entry: Entry): void {
    const { handle, message } = entry;
    const { id, seat, key } = handle;
    entry.sent = true;
    // Its key makes a second submission the same request; one that was accepted is only followed, so that a wait that
    // has ended meanwhile does not begin again.
    const again = (id !== undefined && key !== '') || message.type === 'watch';
    const asked = again ? { type: 'watch', requests: [{ seat, idempotency_key: key }] } : message;
    const ref = this.#send(asked, (answer) => {
      if (again) this.#byRef.delete(ref);
      this.#toHandle(entry, answer);
    });
  }

  #toHandle(entry: Entry, message: FloorServerMessage): void {
    const { handle } = entry;
    if (message.type !== 'accepted' && message.type !== 'outcome' && message.type !== 'error') return;
    if (message.type !== 'error') this.#byId.set(message.id, entry);
    const over = handle.hear(message);
    if (handle.ended === undefined) return;
    this.#open.delete(entry);
    if (message.ref !== undefined) this.#byRef.delete(message.ref);
    if (over && handle.id) this.#byId.delete(handle.id);
    else this.#trim();
  }

  #trim(): void {
    if (this.#byId.size <= UNCONFIRMED + this.#open.size) return;
    for (const [id, { handle }] of this.#byId) {
      if (handle.ended === undefined) continue;
      this.#byId.delete(id);
      return;
    }
  }

  /** Sends with a number of its own; what comes back with that number goes to `heard` until the connection is lost. */
  #send(message: PlainMap, heard: Waiter): number {
    const ref = ++this.#ref;
    this.#byRef.set(ref, heard);
    this.#plane.send({ ...message, ref });
    return ref;
  }

  /** Asks now or as soon as a connection is up, and again if it is lost before the answer. */
  #ask<Type extends 'withdrawn' | 'pong'>(
    message: PlainMap,
    type: Type,
    before: () => () => void = () => () => {},
  ): Promise<[Extract<FloorServerMessage, { type: Type }>]> {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      const question = {
        send: () => {
          const after = before();
          const ref = this.#send(message, (answer) => {
            if (answer.type !== type && answer.type !== 'error') return;
            this.#byRef.delete(ref);
            after();
            this.#asked.delete(question);
            if (answer.type === 'error') reject(faultOf(answer));
            else resolve([answer as Extract<FloorServerMessage, { type: Type }>]);
          });
        },
        fail: reject,
      };
      this.#asked.add(question);
      if (this.#plane.isOpen) question.send();
    });
  }

  #opened(resumed: boolean): void {
    this.#silent = 0;
    this.emit('open', { resumed });
    if (this.#watched.size > 0) {
      this.#send({ type: 'watch', seats: [...this.#watched] }, (message) => {
        if (message.type === 'error') this.#fault(message);
      });
    }
    for (const entry of [...this.#open]) {
      if (entry.sent && entry.handle.key === '') this.#giveUp(entry);
      else this.#sendEntry(entry);
    }
    for (const question of [...this.#asked]) question.send();
  }

  #giveUp(entry: Entry): void {
    this.#open.delete(entry);
    entry.handle.abandon(
      new SdkError({
        reason: 'connection_lost',
        message: 'the connection was lost before the outcome of the answer came',
        next: 'Look at the seat: openfloor status SEAT',
      }),
    );
  }

  #message(message: FloorServerMessage): void {
    this.#silent = 0;
    const ref = 'ref' in message ? message.ref : undefined;
    const waiter = ref === undefined ? undefined : this.#byRef.get(ref);
    if (waiter) return waiter(message);
    switch (message.type) {
      case 'status':
      case 'presence': {
        const { type, ...value } = message;
        return this.emit(type, value as never);
      }
      case 'ended':
        return this.emit('ended', { seat: message.seat });
      case 'decision':
        this.#byId.get(message.id)?.handle.hear(message);
        return;
      case 'outcome': {
        const entry = this.#byId.get(message.id);
        if (entry) this.#toHandle(entry, message);
        return;
      }
      case 'error':
        return this.#fault(message);
    }
  }

  #fault({ reason, error, next }: Extract<FloorServerMessage, { type: 'error' }>): void {
    this.emit('fault', { reason, error, next });
  }

  #lost(event: LostEvent): void {
    this.#byRef.clear();
    this.emit('lost', event);
  }

  #ended(event: OverEvent): void {
    clearInterval(this.#timer);
    this.#over =
      event.error ?? new SdkError({ reason: 'closed', message: 'the floor connection was closed here' });
    for (const { handle } of this.#open) handle.abandon(this.#over);
    this.#open.clear();
    for (const question of this.#asked) question.fail(this.#over);
    this.#asked.clear();
    this.emit('close', event);
  }

  #beat(): void {
    if (!this.#plane.isOpen) return;
    if (++this.#silent > SILENT_HEARTBEATS) {
      this.#silent = 0;
      return this.#plane.drop('the server fell silent');
    }
    this.#plane.send({ type: 'ping' });
  }
}

function faultOf({ reason, error, next }: Extract<FloorServerMessage, { type: 'error' }>): SdkError {
  return new SdkError({ reason, message: error, next });
}
