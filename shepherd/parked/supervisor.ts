// Watches over parked owners: who waits, who holds rows, whose turn it is. Always true: what a seat waits for is observed at
// every tick, whoever asks; attempts are remembered by seat, so two routines over one seat remind it once. It sends nothing.
import type { TimeMs } from '../port.js';
import type { Piece } from '../routine/dispatch.js';
import type { SeatFacts } from '../routine/policy.js';
import type { Routine } from '../routine/routine.js';
import type { AttemptTable } from '../store/attempt-table.js';
import type { FactTable, Owner } from '../store/fact-table.js';
import {
  type Attempts,
  fingerprintOf,
  GRACE_MS,
  judgeOwner,
  NO_ATTEMPTS,
  obligations,
  observe,
  occupantOf,
  REPEAT_MS,
  type Waiting,
} from './owner.js';
import { pick, rigOf } from './rotation.js';

export interface SupervisorPort {
  readonly facts: FactTable;
  readonly attempts: AttemptTable;
}

/** What one tick knows. */
export interface Look {
  readonly now: TimeMs;
  readonly seats: ReadonlyMap<string, SeatFacts>;
  readonly owners: readonly Owner[];
}

export interface Reminder {
  readonly seat: string;
  readonly piece: Piece;
}

/** Obligations of a seat that were found healthy: while they are as they were, its rows needn't be read. */
interface Healthy {
  readonly signature: string;
  readonly fingerprint: string;
}

const ALL = '*';

export function inScope(scope: string, seat: string): boolean {
  if (scope === ALL) return true;
  return scope.startsWith('*@') ? rigOf(seat) === scope.slice(2) : scope === seat;
}

const signatureOf = ({ count, updatedAt }: Owner) => `${count} ${updatedAt}`;

export class Supervisor {
  #waiting = new Map<string, Waiting>();
  readonly #healthy = new Map<string, Healthy>();

  constructor(private readonly port: SupervisorPort) {}

  /** Once a tick, before anything is asked. */
  observe({ seats, now }: Pick<Look, 'seats' | 'now'>): void {
    const waiting = new Map<string, Waiting>();
    for (const [seat, facts] of seats) {
      const one = observe(this.#waiting.get(seat), facts, now);
      if (one) waiting.set(seat, one);
    }
    this.#waiting = waiting;
  }

  /** Reminders of this routine for this tick: at most one a rig. `asked`: seats that have one with the runtime. */
  remind(routine: Routine, look: Look, asked: ReadonlySet<string>): Reminder[] {
    const remembered = this.port.attempts.owners();
    const verdicts = new Map<string, Piece>();
    const candidates = look.owners
      .filter(({ seat }) => inScope(routine.seat, seat))
      .map((owner) => ({
        owner,
        seat: owner.seat,
        attempts: remembered.get(owner.seat) ?? NO_ATTEMPTS,
        attemptedAt: remembered.get(owner.seat)?.attemptedAt ?? null,
      }));
    const picked = pick(candidates, ({ owner, attempts }) => {
      const piece = this.#judge(routine, owner, attempts, look, asked.has(owner.seat));
      if (piece) verdicts.set(owner.seat, piece);
      return piece !== undefined;
    });
    return picked.flatMap(({ seat }) => {
      const piece = verdicts.get(seat);
      return piece ? [{ seat, piece }] : [];
    });
  }

  /** Whether a reminder that waits with the runtime says what is not true any more. */
  isStale(
    seat: string,
    owner: { readonly fingerprint: string; readonly occupant: string },
    look: Look,
  ): boolean {
    const facts = look.seats.get(seat);
    // An unknown status says nothing; the runtime types only when it knows.
    if (facts === undefined || facts.state === 'unknown') return false;
    if (facts.state !== 'idle' || occupantOf(facts) !== owner.occupant) return true;
    return fingerprintOf(obligations(this.port.facts.open(seat), look.now)) !== owner.fingerprint;
  }

  #judge(
    routine: Routine,
    owner: Owner,
    attempts: Attempts,
    { now, seats }: Look,
    asked: boolean,
  ): Piece | undefined {
    const { seat: address } = owner;
    const seat = seats.get(address);
    // Cheap looks first: most owners work, or rest on a success.
    if (seat?.state !== 'idle' || asked) return undefined;
    const { graceMs = GRACE_MS, repeatMs = REPEAT_MS } = routine.spec;
    const waiting = this.#waiting.get(address);
    if (waiting === undefined || now - waiting.sinceAt < graceMs) return undefined;
    const occupant = occupantOf(seat);
    const known = this.#healthy.get(address);
    const { confirmed } = attempts;
    const rests = confirmed?.occupant === occupant && confirmed.fingerprint === known?.fingerprint;
    if (rests && known?.signature === signatureOf(owner)) return undefined;
    const rows = this.port.facts.open(address);
    const verdict = judgeOwner({ seat, waiting, rows, attempts, asked, graceMs, repeatMs }, now);
    if (verdict.kind === 'skip' && verdict.reason === 'healthy' && confirmed) {
      this.#healthy.set(address, { signature: signatureOf(owner), fingerprint: confirmed.fingerprint });
    }
    if (verdict.kind !== 'remind') return undefined;
    const { text, rows: named, fingerprint } = verdict;
    return {
      routine,
      text,
      rows: named,
      repeat: attempts.unresolved,
      owner: { fingerprint, occupant, generation: seat.generation },
    };
  }
}
