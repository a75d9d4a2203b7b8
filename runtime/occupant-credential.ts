// The credential of an occupant: minted when a session starts, in the agent's environment, and dead with it. Always true: a
// renew, which keeps the process, keeps it.
import type { Journal } from './journal/port.js';

/** An agent finds its runtime, its seat and its own credential in its environment; the credential dies with it. */
export function occupantEnv(journal: Journal, address: string, seat: string, generation: number) {
  const draft = { kind: 'agent', name: `agent ${seat}`, session: seat, generation, seats: [seat] } as const;
  const { secret } = journal.credentials.mint(draft, Date.now());
  return { OPENFLOOR_URL: address, OPENFLOOR_SEAT: seat, OPENFLOOR_TOKEN: secret };
}

/** `attach`: those of people alone; `all`: the agent's too. */
export function revokeTokens(journal: Journal, name: string, which: 'attach' | 'all'): void {
  if (which === 'all') {
    journal.credentials.revokeSession(name);
    return;
  }
  for (const { id, kind, session } of journal.credentials.list(Date.now())) {
    if (kind === 'attach' && session === name) journal.credentials.revoke(id, Date.now());
  }
}
