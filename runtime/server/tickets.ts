// One-time login tickets: a browser trades one for a credential. Always true: a ticket works once and for TICKET_MS;
// bounded; nothing is stored but its hash, in memory. Time is an argument.
import { createHash, randomBytes } from 'node:crypto';
import { TICKET_MS } from '../../protocol/limit.js';

/** Open tickets at once; the oldest makes room. */
const TICKETS = 64;

const hash = (ticket: string) => createHash('sha256').update(ticket).digest('hex');

export class Tickets {
  readonly #open = new Map<string, number>();

  /** A new ticket, 64 hex characters. */
  issue(now: number): string {
    const ticket = randomBytes(32).toString('hex');
    if (this.#open.size >= TICKETS) {
      const oldest = this.#open.keys().next().value;
      if (oldest !== undefined) this.#open.delete(oldest);
    }
    this.#open.set(hash(ticket), now + TICKET_MS);
    return ticket;
  }

  /** True once for a ticket that is neither used nor too old. */
  redeem(ticket: string, now: number): boolean {
    const key = hash(ticket);
    const expiresAt = this.#open.get(key);
    this.#open.delete(key);
    return expiresAt !== undefined && now < expiresAt;
  }
}
