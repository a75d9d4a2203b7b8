// Who is attached to a session: takes, joins and views. Always true: at most the newest `take` and the joins after it may
// type; a client that has left can do nothing any more; focus, size and backpressure are facts about all clients
// together. It writes nothing to the PTY itself.

import type { CloseCode } from '../../protocol/close-code.js';
import type { ServerFrame } from '../../protocol/frame.js';
import { MISSED_PINGS, PING_INTERVAL_MS } from '../../protocol/limit.js';
import { type Client, FLUSH_MS } from './client.js';
import { electSize, type Size, sameSize } from './size.js';
import { FRESH_BUDGET, spendTakeover, type TakeoverBudget } from './takeover.js';

export interface AudiencePort {
  now(): number;
  size(): Size;
  resize(size: Size): void;
  /** Focus of all clients together has changed. */
  focus(focused: boolean): void;
  left(client: Client, why: LeaveReason): void;
  after(ms: number, run: () => void): () => void;
}

export type LeaveReason =
  | 'client_detach'
  | 'socket_closed'
  | 'taken_over'
  | 'missed_pings'
  | 'could_not_keep_up'
  | 'frame_abuse_disconnect'
  | 'input_backpressure_disconnect'
  | 'token_renewed'
  | 'session_over';

export class Audience {
  readonly #clients = new Set<Client>();
  #budget: TakeoverBudget = FRESH_BUDGET;
  #focused = false;

  constructor(readonly port: AudiencePort) {}

  get size(): number {
    return this.#clients.size;
  }

  [Symbol.iterator](): IterableIterator<Client> {
    return this.#clients.values();
  }

  has(client: Client): boolean {
    return this.#clients.has(client);
  }

  /** Clients that may type. */
  get typists(): Client[] {
    return [...this.#clients].filter((client) => client.identity.mode !== 'view');
  }

  /** Makes room for a client that takes the session. False when the takeover budget is spent. */
  takeOver(): 'free' | 'taken' | 'refused' {
    const losers = this.typists;
    if (losers.length === 0) return 'free';
    const budget = spendTakeover(this.#budget, this.port.now());
    if (budget === undefined) return 'refused';
    this.#budget = budget;
    for (const loser of losers) this.close(loser, 4002, 'taken_over');
    return 'taken';
  }

  /** A new generation starts with a fresh takeover budget. */
  refreshBudget(): void {
    this.#budget = FRESH_BUDGET;
  }

  add(client: Client): void {
    this.#clients.add(client);
    this.elect();
  }

  /** The client goes on in another session: its connection is not over, so nobody is told that it left. */
  release(client: Client): void {
    if (!this.#clients.delete(client)) return;
    this.#updateFocus();
  }

  /** The client's connection is over or about to be; its last size and focus no longer count. */
  remove(client: Client, why: LeaveReason): void {
    if (!this.#clients.delete(client)) return;
    this.#updateFocus();
    this.elect();
    this.port.left(client, why);
  }

  /** Ends a client's attachment with what the code says. */
  close(client: Client, code: CloseCode, why: LeaveReason): void {
    if (!this.#clients.has(client)) return;
    this.#finish(client, code, why, undefined);
  }

  closeAll(code: CloseCode, why: LeaveReason, last?: ServerFrame): void {
    for (const client of [...this.#clients]) {
      this.#finish(client, code, why, last);
    }
  }

  /** What is left is flushed first, but a client that takes nothing can't hold its end up. */
  #finish(client: Client, code: CloseCode, why: LeaveReason, last: ServerFrame | undefined): void {
    client.finish(code, last, this.port.now());
    if (!client.gone) this.port.after(FLUSH_MS, () => client.cut(code));
    this.remove(client, why);
  }

  broadcast(frame: ServerFrame): void {
    for (const client of this.#clients) client.send(frame);
  }

  flush(): void {
    const now = this.port.now();
    for (const client of this.#clients) client.flush(now);
  }

  /** Somebody typed, resized or attached: sizes may change hands. */
  elect(): void {
    const size = electSize(
      [...this.#clients].map(({ identity, size, activeAt }) => ({ mode: identity.mode, size, activeAt })),
    );
    if (size !== undefined && !sameSize(size, this.port.size())) this.port.resize(size);
  }

  focus(client: Client, focused: boolean): void {
    if (client.identity.mode === 'view') return;
    client.focused = focused;
    this.#updateFocus();
  }

  #updateFocus(): void {
    const focused = [...this.#clients].some((client) => client.focused);
    if (focused === this.#focused) return;
    this.#focused = focused;
    this.port.focus(focused);
  }

  /** All who may type are at least this many bytes behind; false when there is nobody. */
  allBehind(bytes: number): boolean {
    // Asked for every chunk of a flood: no list is made for it.
    let typists = 0;
    for (const client of this.#clients) {
      if (client.identity.mode === 'view') continue;
      if (client.backlogBytes <= bytes) return false;
      typists++;
    }
    return typists > 0;
  }

  /** Once a second: who is due is pinged, and a client that answered none of its last pings is gone. */
  ping(): void {
    const now = this.port.now();
    for (const client of [...this.#clients]) {
      if (now < client.nextPingAt) continue;
      client.nextPingAt += PING_INTERVAL_MS;
      client.missedPings = client.pongSeen ? 0 : client.missedPings + 1;
      client.pongSeen = false;
      if (client.missedPings >= MISSED_PINGS) {
        client.cut(4005);
        this.remove(client, 'missed_pings');
      } else client.socket.ping();
    }
  }

  /** Once a second: detaches who takes nothing. */
  detachStalled(): void {
    const now = this.port.now();
    for (const client of [...this.#clients]) {
      if (!client.stalled(now)) continue;
      client.cut(4005);
      this.remove(client, 'could_not_keep_up');
    }
  }
}
