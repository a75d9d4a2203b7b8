// The credential of an occupant: minted when a session starts, in the agent's environment, and dead with it. Always true: a
// renew, which keeps the process, keeps it.
import type { Journal } from './journal/port.js';
import type { SessionIdentity } from './session/registry.js';

/** An agent finds its runtime, its seat and its own credential in its environment; the credential dies with it. */
export function occupantEnv(journal: Journal, address: string, seat: string, generation: number) {
  const draft = { kind: 'agent', name: `agent ${seat}`, session: seat, generation, seats: [seat] } as const;
  const { secret } = journal.credentials.mint(draft, Date.now());
  return { OPENFLOOR_URL: address, OPENFLOOR_SEAT: seat, OPENFLOOR_TOKEN: secret };
}

/**
 * `attach`: those of people for the name that the session has; `all`: the agent's too, which is known by the seat and the
 * generation that it was started with, so that another occupant of the seat keeps its own.
 */
export function revokeTokens(journal: Journal, who: SessionIdentity, which: 'attach' | 'all'): void {
  for (const { id, kind, session, generation } of journal.credentials.list(Date.now())) {
    const attach = kind === 'attach' && session === who.name;
    const agent = kind === 'agent' && session === who.seat && generation === who.generation;
    if (attach || (agent && which === 'all')) journal.credentials.revoke(id, Date.now());
  }
}
