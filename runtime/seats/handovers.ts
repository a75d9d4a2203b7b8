// Handovers as they run: one at a time for a seat, step by step, and what a restart or a person makes of one that halted.
// Always true: nothing is detached before the store knows of it; a seat is told as handed over only after its record is
// durable; a half-done binding is never rolled back by itself; operators are never stopped. The rules are in handover.ts.
import { uuidv7 } from 'uuidv7';
import type { HandoverPlan, HandoverRecord } from '../../protocol/handover.js';
import type { Change, Credential, Journal } from '../journal/port.js';
import type { Registry } from '../session/registry.js';
import type { Candidate, CandidatePlan, Candidates } from './candidate.js';
import {
  advance,
  type Disposition,
  type HandoverState,
  judgeDisposition,
  type Plan,
  stepsOf,
} from './handover.js';
import { afterRestart, emptyRecord, entryOf, outcomesOf, rowOf } from './handover-record.js';
import { HandoverRun } from './handover-run.js';
import { formerName } from './lineage.js';
import type { Seat, SeatBook } from './seat-book.js';
import { SeatError } from './seat-error.js';
import { actorOf } from './submissions.js';

export interface HandoversPort {
  readonly book: SeatBook;
  readonly registry: Registry;
  readonly candidates: Candidates;
  readonly journal: Pick<Journal, 'commit' | 'durable' | 'note' | 'owe'> & {
    readonly seats: Pick<Journal['seats'], 'handovers'>;
  };
  now(): number;
}

export interface HandoverWish {
  readonly plan: CandidatePlan | undefined;
  readonly candidate: Candidate | undefined;
  readonly asked: Disposition;
  readonly strict: boolean;
  readonly reason: string;
  readonly routine: string | undefined;
  readonly credential: Credential;
}

/** What is known of a binding that isn't over. A run of an earlier process has no sessions any more. */
export type Open =
  | { readonly kind: 'running'; readonly run: HandoverRun }
  | { readonly kind: 'left'; readonly record: HandoverRecord; readonly plan: Plan; state: HandoverState };

/** Newest rows that a start looks at for the end of an attempt that it finds open. */
const RECENT = 20;

export class Handovers {
  readonly #open = new Map<string, Open>();

  constructor(readonly port: HandoversPort) {
    for (const seat of port.book.all()) this.#settleStart(seat);
  }

  /** The attempt that is under way or has halted. */
  openOf(seat: Seat): HandoverRecord | undefined {
    const open = this.#open.get(seat.address);
    return open?.kind === 'running' ? open.run.record : open?.record;
  }

  /** Throws SeatError when the seat is locked, naming the attempt that holds it. */
  refuseLocked(seat: Seat): void {
    const record = this.openOf(seat);
    if (record === undefined) return;
    const halted = record.state === 'halted';
    const what = halted ? 'has halted' : 'is under way';
    throw new SeatError(
      halted ? 'handover_halted' : 'handover_in_progress',
      `The handover ${record.handover} of ${seat.address} ${what} at the step ${record.step}.`,
    );
  }

  /** What would be done, without doing any of it. Throws what the handover would throw before any effect. */
  dryRun(seat: Seat, wish: HandoverWish): HandoverPlan {
    this.refuseLocked(seat);
    const { plan, candidate, asked, strict } = wish;
    const source = plan ?? candidate?.plan;
    if (source === undefined) throw new SeatError('candidate_missing');
    const verdict = judgeDisposition(asked, strict, this.obstacle(seat));
    return {
      seat: seat.address,
      dry_run: true,
      mode: source.mode,
      command: plan ? [...plan.command] : null,
      conversation: source.conversation ?? null,
      artifacts: source.artifacts.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
      disposition_asked: asked,
      disposition: verdict.kind === 'refused' ? null : verdict.disposition,
      steps: stepsOf({ mode: source.mode, given: plan === undefined }).map((step) => ({
        step,
        willMutate: false,
      })),
      notices: verdict.kind === 'honoured' ? [] : [verdict.notice],
    };
  }

  /** Runs one to its end; the record says what came of it. Throws SeatError or JournalError only before any effect. */
  async handover(seat: Seat, wish: HandoverWish): Promise<HandoverRecord> {
    this.refuseLocked(seat);
    const source = wish.plan ?? wish.candidate?.plan;
    if (source === undefined) throw new SeatError('candidate_missing');
    const { occupant } = seat;
    const version = this.port.book.lineage.head(seat.address)?.version ?? null;
    const { credential, plan, candidate } = wish;
    const given = plan === undefined;
    const facts = {
      handover: uuidv7(),
      seat: seat.address,
      mode: source.mode,
      given,
      reason: wish.reason,
      initiatedBy: actorOf(credential),
      routine: wish.routine,
      candidate: candidate?.id,
      artifacts: source.artifacts.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
      old: occupant
        ? {
            name: seat.address,
            version,
            generation: occupant.session.generation,
            conversation: this.port.candidates.conversationOf(seat) ?? null,
          }
        : null,
      asked: wish.asked,
      strict: wish.strict,
    };
    const run = new HandoverRun(
      { ...this.port, obstacle: () => this.obstacle(seat) },
      seat,
      { mode: source.mode, given },
      emptyRecord(facts, this.port.now()),
      { plan, candidate, credential },
    );
    this.#open.set(seat.address, { kind: 'running', run });
    try {
      return await run.go();
    } finally {
      if (run.record.state !== 'halted') this.#open.delete(seat.address);
    }
  }

  /** Why the occupant can't go on beside its seat. */
  obstacle(seat: Seat): string | undefined {
    const { book, registry } = this.port;
    const version = book.lineage.head(seat.address)?.version;
    const session = registry.find(seat.address);
    if (session === undefined || session.exit !== undefined) return 'the old occupant has ended';
    const name = version === undefined ? undefined : formerName(seat.address, version);
    if (name === undefined) return 'there is no name for it';
    const taken = registry.leader(name) !== undefined || book.get(name)?.occupant !== undefined;
    return taken ? `the name ${name} is taken` : undefined;
  }

  /** A person settles a halted binding. Rejects with SeatError, and then it is as halted as before. */
  async recover(seat: Seat, as: 'bound' | 'unchanged', why: string, by: string): Promise<HandoverRecord> {
    const open = this.#open.get(seat.address);
    const halted = open && (open.kind === 'left' ? open.record : open.run.record);
    if (open === undefined || halted?.state !== 'halted') throw new SeatError('handover_not_halted');
    if (open.kind === 'running') {
      const settled = await open.run.recover(as, why, by);
      this.#open.delete(seat.address);
      return settled;
    }
    const state = advance(open.plan, open.state, { kind: 'settled', as });
    const record: HandoverRecord = {
      ...halted,
      ...outcomesOf(open.plan, state),
      handover: uuidv7(),
      settles: halted.handover,
      at: new Date(this.port.now()).toISOString(),
      reason: why,
      initiated_by: by,
    };
    const { journal, book, now } = this.port;
    journal.commit([
      { type: 'handover', row: rowOf(record, now()) },
      { type: 'audit', entry: entryOf('handover.recovered', record, now()) },
    ]);
    await journal.durable();
    book.keepBinding(seat, null);
    book.setGate(seat, 'open');
    this.#open.delete(seat.address);
    return record;
  }

  /** What the last run left open: nothing of it runs any more. */
  #settleStart(seat: Seat): void {
    const { binding } = seat.row;
    if (binding === null) return;
    const { journal, book, now } = this.port;
    const known = afterRestart(binding, now());
    const rows = journal.seats.handovers(seat.address, RECENT);
    const written = rows.find(({ id }) => id === known?.record.handover)?.record;
    // Its record had been written, so all that was missing was the word that it is over.
    const over = known === undefined || written?.seatBindingOutcome === 'handed_over';
    if (over || known.state.kind !== 'halted') {
      seat.row = { ...seat.row, binding: null };
      book.setGate(seat, 'open');
      const changes: Change[] = [{ type: 'seat', row: seat.row }];
      if (known && !written) changes.unshift({ type: 'handover', row: rowOf(known.record, now()) });
      journal.owe(now(), changes);
      return;
    }
    const { record, state } = known;
    const plan: Plan = { mode: record.mode, given: record.candidate !== null };
    this.#open.set(seat.address, { kind: 'left', record, plan, state });
    if (binding.state === 'halted') return;
    seat.row = { ...seat.row, binding: { ...record } };
    journal.owe(now(), [
      ...(written ? [] : [{ type: 'handover', row: rowOf(record, now()) } as const]),
      { type: 'seat', row: seat.row },
      { type: 'audit', entry: entryOf('handover.halted', record, now()) },
      { type: 'audit', entry: entryOf('alert.handover_halted', record, now()) },
    ]);
  }
}
