// One handover of one seat: its steps performed in order, and its end. Always true: each step ends before the next begins;
// a failure before the detach leaves the seat as it was and drops what was created for it; one after it halts, and the
// sessions stay where they are until a person settles it.
import { uuidv7 } from 'uuidv7';
import type { HandoverFrame } from '../../protocol/frame.js';
import type { HandoverRecord } from '../../protocol/handover.js';
import type { Reason } from '../../protocol/reason.js';
import type { Change, Credential, OccupantRow } from '../journal/port.js';
import type { Session } from '../session/session.js';
import type { Candidate, CandidatePlan } from './candidate.js';
import {
  advance,
  BEGIN,
  type HandoverState,
  isFrozen,
  judgeDisposition,
  type Plan,
  type Step,
} from './handover.js';
import { beginStep, endStep, entryOf, outcomesOf, rowOf } from './handover-record.js';
import type { HandoversPort } from './handovers.js';
import { formerName } from './lineage.js';
import type { Seat } from './seat-book.js';
import { failureOf, SeatError } from './seat-error.js';

export interface RunPort extends HandoversPort {
  obstacle(): string | undefined;
}

interface Source {
  readonly plan: CandidatePlan | undefined;
  readonly candidate: Candidate | undefined;
  readonly credential: Credential;
}

/** What the lineage calls an old occupant by its disposition. */
const FORMER = { retire: 'retired', advise: 'advising', shadow: 'shadowing' } as const;

export class HandoverRun {
  #state: HandoverState = BEGIN;
  #candidate: Candidate | undefined;
  /** Who has the seat when the binding begins. */
  #old: Session | undefined;
  #rows: { readonly old: OccupantRow | undefined; readonly new: OccupantRow } | undefined;
  #settling = false;

  constructor(
    readonly port: RunPort,
    readonly seat: Seat,
    readonly plan: Plan,
    readonly record: HandoverRecord,
    readonly source: Source,
  ) {
    this.#candidate = source.candidate;
  }

  async go(): Promise<HandoverRecord> {
    const { seat, port } = this;
    while (this.#state.kind === 'binding') {
      const { step } = this.#state;
      const entry = beginStep(this.record, step, port.now());
      let failure: { readonly reason: Reason; readonly message: string } | undefined;
      try {
        await this.#perform(step);
      } catch (error) {
        if (step === 'lock') throw error;
        failure = failureOf(error);
      }
      endStep(entry, failure ? 'failed' : 'done', port.now());
      this.#state = advance(
        this.plan,
        this.#state,
        failure ? { kind: 'failed', reason: failure.reason } : { kind: 'done' },
      );
      Object.assign(this.record, outcomesOf(this.plan, this.#state));
      if (failure) this.record.failure = { step, ...failure };
    }
    if (this.#state.kind === 'halted') this.#halt();
    else if (this.#state.kind === 'unchanged') await this.#leaveUnchanged();
    this.#tell(this.#state.kind === 'halted' ? 'halted' : 'over');
    if (!isFrozen(this.#state)) port.book.setGate(seat, 'open');
    return this.record;
  }

  async #perform(step: Step): Promise<void> {
    const { port, source, record } = this;
    switch (step) {
      case 'lock': {
        this.#keep();
        return port.journal.note(entryOf('handover.started', record, port.now()));
      }
      case 'candidate': {
        if (source.plan) this.#candidate = await port.candidates.start(source.plan);
        const { candidate } = this;
        record.candidate = candidate.id;
        record.new = this.#refOf(candidate);
        return this.#keep();
      }
      case 'ready':
        return port.candidates.ready(this.candidate);
      case 'restore':
        return port.candidates.restore(this.candidate, source.credential);
      case 'freeze':
        return this.#freeze();
      case 'detach':
        return this.#detach();
      case 'bind':
        return this.#bind();
      case 'provenance':
        return this.#prove(record);
      case 'thaw':
        return;
    }
  }

  get candidate(): Candidate {
    if (this.#candidate === undefined) throw new SeatError('candidate_missing');
    return this.#candidate;
  }

  /** The candidate's session while it runs. */
  #live(): Session {
    const { live, place, state } = this.candidate;
    if (
      live === undefined ||
      live.exit !== undefined ||
      place.occupant?.session !== live ||
      state === 'failed'
    )
      throw new SeatError('candidate_failed', 'The candidate has ended.');
    return live;
  }

  #freeze(): void {
    const { port, record, seat } = this;
    this.#live();
    const verdict = judgeDisposition(record.disposition_asked, record.strict_disposition, port.obstacle());
    if (verdict.kind !== 'honoured') record.notices.push(verdict.notice);
    if (verdict.kind === 'refused') throw new SeatError('disposition_unavailable', verdict.notice);
    record.disposition = verdict.disposition;
    record.new = this.#refOf(this.candidate);
    this.#old = port.registry.find(seat.address);
    // A crash from here on must find that somebody may be detached, so it is on record before anybody is.
    record.step = 'detach';
    this.#keep();
    port.book.setGate(seat, 'switching');
    this.#tell('frozen');
  }

  async #detach(): Promise<void> {
    const { port, record, seat } = this;
    if (record.disposition !== 'retire') return;
    const { survivors } = await port.registry.detach(seat.address);
    if (survivors.length > 0)
      throw new SeatError('detach_failed', `These processes are still alive: ${survivors.join(', ')}.`);
  }

  #bind(): void {
    const { version } = this.port.book.lineage.head(this.seat.address) ?? {};
    const kept =
      this.record.disposition === 'retire' ? undefined : formerName(this.seat.address, version ?? 0);
    this.#take(kept, FORMER[this.record.disposition ?? 'retire']);
  }

  /** One turn: sessions, seat and lineage change together. */
  #take(keptAs: string | undefined, former: string): void {
    const { port, seat, record } = this;
    const { book, registry, now } = port;
    const live = this.#live();
    const old = registry.find(seat.address);
    const kept = old && keptAs !== undefined ? book.besideSeat(seat, keptAs) : undefined;
    const before = old && book.lineage.rowOf(old);
    const told: HandoverFrame = this.#frame('bound');
    try {
      registry.takeSeat({
        candidate: live,
        seat: seat.address,
        old,
        keptAs: kept?.address,
        told,
        moved: () => {
          const next = book.lineage.nextRow(seat.address, live);
          const outcome = 'handed_over';
          const endedAt = kept ? null : now();
          const conversation = before?.conversation ?? record.old?.conversation ?? null;
          const gone = before && {
            ...before,
            conversation,
            session: kept?.address ?? before.session,
            state: former,
            outcome,
            endedAt,
          };
          if (old && gone) book.lineage.enter(old, gone);
          book.lineage.enter(live, next);
          this.#rows = { old: gone, new: next };
          book.bind(seat, this.candidate.place, kept);
        },
      });
    } catch (error) {
      if (kept) book.forget(kept);
      throw error;
    }
    port.candidates.bound(this.candidate);
    if (record.old && kept) record.old = { ...record.old, name: kept.address };
    const { version, generation, conversation } = this.#rows?.new ?? {};
    record.new = {
      name: seat.address,
      version: version ?? null,
      generation: generation ?? live.generation,
      conversation: conversation ?? null,
    };
    record.step = 'provenance';
    this.#keepIfPossible();
  }

  /** The durable record. It says what is true once it is written; nobody is told before. */
  async #prove(record: HandoverRecord, outcomes = outcomesOf(this.plan, { kind: 'bound' })): Promise<void> {
    const { port, seat } = this;
    const at = port.now();
    const entry = record.steps.find(({ step, result }) => step === 'provenance' && result === 'running');
    const proven: HandoverRecord = structuredClone({ ...record, ...outcomes });
    for (const step of proven.steps) if (step.step === entry?.step) endStep(step, 'done', at);
    const changes: Change[] = [
      ...[this.#rows?.old, this.#rows?.new].flatMap((row) =>
        row ? [{ type: 'occupant', row } as const] : [],
      ),
      { type: 'handover', row: rowOf(proven, at) },
      { type: 'audit', entry: entryOf('handover.finished', proven, at) },
    ];
    try {
      port.journal.commit(changes);
      await port.journal.durable();
    } catch (error) {
      throw new SeatError(
        'provenance_failed',
        `The record could not be written: ${failureOf(error).message}`,
      );
    }
    try {
      port.book.keepBinding(seat, null);
    } catch {
      // The next start finds the record and knows that it is over.
      seat.row = { ...seat.row, binding: null };
    }
  }

  async #leaveUnchanged(): Promise<void> {
    const { port, record, seat } = this;
    const { now } = port;
    // A given candidate is its owner's; one that was made for this is nobody's.
    if (this.source.plan && this.#candidate) await port.candidates.drop(this.#candidate);
    seat.row = { ...seat.row, binding: null };
    port.journal.owe(now(), [
      { type: 'handover', row: rowOf(record, now()) },
      { type: 'seat', row: seat.row },
      { type: 'audit', entry: entryOf('handover.failed', record, now()) },
    ]);
  }

  #halt(): void {
    const { port, record, seat } = this;
    const { now, journal } = port;
    this.#keepIfPossible();
    journal.owe(now(), [
      { type: 'handover', row: rowOf(record, now()) },
      { type: 'seat', row: { ...seat.row, binding: { ...record } } },
      { type: 'audit', entry: entryOf('handover.halted', record, now()) },
      { type: 'audit', entry: entryOf('alert.handover_halted', record, now()) },
    ]);
  }

  /** A person says what is true. Rejects with SeatError when that can't be made so; the binding stays halted. */
  async recover(as: 'bound' | 'unchanged', why: string, by: string): Promise<HandoverRecord> {
    if (this.#settling)
      throw new SeatError('handover_in_progress', 'Somebody settles this handover already.');
    this.#settling = true;
    try {
      return await this.#settle(as, why, by);
    } finally {
      this.#settling = false;
    }
  }

  async #settle(as: 'bound' | 'unchanged', why: string, by: string): Promise<HandoverRecord> {
    const { port, seat } = this;
    const taken = this.#rows !== undefined;
    if (as === 'unchanged' && taken)
      throw new SeatError('handover_halted', 'The new occupant has the seat already: settle it as bound.');
    if (as === 'bound' && !taken) {
      const old = port.registry.find(seat.address);
      const { version } = port.book.lineage.head(seat.address) ?? {};
      // What could not be ended goes on beside the seat, where somebody can look at it.
      const keptAs = old && old.exit === undefined ? formerName(seat.address, version ?? 0) : undefined;
      if (old && old.exit === undefined && keptAs === undefined)
        throw new SeatError(
          'disposition_unavailable',
          'The old occupant still runs and has no name beside the seat.',
        );
      this.#take(keptAs, 'detached');
    }
    const state = advance(this.plan, this.#state, { kind: 'settled', as });
    const settled: HandoverRecord = {
      ...structuredClone(this.record),
      ...outcomesOf(this.plan, state),
      handover: uuidv7(),
      settles: this.record.handover,
      at: new Date(port.now()).toISOString(),
      reason: why,
      initiated_by: by,
    };
    await this.#prove(settled, outcomesOf(this.plan, state));
    if (as === 'unchanged') {
      if (this.#old) port.registry.undetach(this.#old);
      if (this.#candidate) await port.candidates.drop(this.#candidate);
    }
    this.#state = state;
    Object.assign(this.record, outcomesOf(this.plan, state));
    port.journal.note(entryOf('handover.recovered', settled, port.now()));
    this.#tell('over');
    port.book.setGate(seat, 'open');
    return settled;
  }

  #refOf(candidate: Candidate): HandoverRecord['new'] {
    const conversation = candidate.live && this.port.book.lineage.conversationOf(candidate.live);
    return {
      name: candidate.session,
      version: null,
      generation: candidate.generation ?? 0,
      conversation: conversation ?? null,
    };
  }

  /** For the next start. Throws JournalError. */
  #keep(): void {
    this.port.book.keepBinding(this.seat, structuredClone(this.record));
  }

  #keepIfPossible(): void {
    try {
      this.#keep();
    } catch {
      // What was kept last says that the binding had begun, which is enough to halt.
    }
  }

  #frame(phase: HandoverFrame['phase']): HandoverFrame {
    const { handover, seatBindingOutcome, failure, seat } = this.record;
    const known = phase === 'over' || phase === 'halted';
    return {
      v: 1,
      type: 'handover',
      seat,
      handover,
      phase,
      outcome: known ? seatBindingOutcome : null,
      reason: failure?.reason ?? null,
    };
  }

  #tell(phase: HandoverFrame['phase']): void {
    this.seat.occupant?.session.audience.broadcast(this.#frame(phase));
  }
}
