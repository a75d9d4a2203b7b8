// Keeps what the floor did: the outbox row and the audit record of every request, and the frames that attached clients
// see. Always true: `granted` answers true only if both are committed; a request has one `injection.granted` and one
// `injection.finished`; a receipt that can't be stored never stops a message, a grant that can't be recorded always does.
import type { ServerFrame } from '../../protocol/frame.js';
import type { Ending, FloorEffect } from '../floor/event.js';
import { type GuardMode, readsComposer } from '../floor/mode.js';
import type { Identity, Request } from '../floor/request.js';
import type { View } from '../floor/view.js';
import {
  type AuditEntry,
  type Change,
  type Journal,
  JournalError,
  type OutboxDraft,
} from '../journal/port.js';
import { isFull } from './held-quota.js';
import type { Session } from './session.js';

type Granted = Extract<FloorEffect, { kind: 'grant' }>;
type Ended = Extract<FloorEffect, { kind: 'ended' }>;
type Alert = Extract<FloorEffect, { kind: 'alert' }>;

export interface FloorLedgerPort {
  readonly journal: Pick<Journal, 'commit' | 'note' | 'owe' | 'durable'> & {
    readonly outbox: Pick<Journal['outbox'], 'heldQuota' | 'heldBySupersede'>;
  };
  now(): number;
  /** A receipt could not be stored: a line for the log. */
  storeFailed(error: unknown): void;
  modeEffective(session: Session, mode: GuardMode): void;
}

/** How soon a store that is away is asked again for the rows of what waits. */
const STORE_AGAIN_MS = 250;

/** A row of the outbox that has been accepted and is not committed yet. */
interface Pending {
  readonly row: OutboxDraft;
}

export class FloorLedger {
  /** Accepted and not stored yet: a grant in the same turn commits them together. Bounded by the floors' own queues. */
  readonly #pending = new Map<string, Pending>();
  /** Granted on record and not ended: at most one a session. */
  readonly #granted = new Set<string>();
  #triedAgainAt = 0;

  constructor(readonly port: FloorLedgerPort) {}

  accepted(session: Session, request: Request): void {
    this.#pending.set(request.id, { row: draftOf(session, request) });
  }

  /** True when the grant is on record: only then may a byte be written. */
  granted(session: Session, { request, pasteBytes, judgement, waits }: Granted): boolean {
    const pending = this.#pending.get(request.id);
    const at = this.port.now();
    const checks = judgement.rows.map(({ row, title, finding }) => ({
      row,
      title,
      result: finding.kind,
      ...('evidence' in finding ? { evidence: { ...finding.evidence } } : {}),
    }));
    const entry = {
      ...entryOf(session, request, at),
      kind: 'injection.granted',
      bytes: pasteBytes,
      checks,
      ...waited(request, waits, at),
    };
    const row: Change = pending
      ? { type: 'accept', row: { ...pending.row, state: 'sending' } }
      : { type: 'settle', id: request.id, at, patch: { state: 'sending', reason: 'granted' } };
    try {
      this.port.journal.commit([row, ...overrideUsed(session, request, at), { type: 'audit', entry }]);
    } catch (error) {
      this.port.storeFailed(error);
      return false;
    }
    this.#pending.delete(request.id);
    this.#granted.add(request.id);
    // With nobody attached no frame is made: the turn that types does nothing that it needn't.
    if (session.audience.size > 0) {
      session.audience.broadcast(injectionFrame(session, request, { phase: 'granted' }));
    }
    return true;
  }

  /** With full durability the intent is on the disk before the decision that writes. */
  async intend(session: Session, request: Request): Promise<boolean> {
    try {
      this.flush();
      const entry = { ...entryOf(session, request, this.port.now()), kind: 'injection.intended' };
      this.port.journal.commit([{ type: 'audit', entry }]);
      await this.port.journal.durable();
      return true;
    } catch (error) {
      this.port.storeFailed(error);
      return false;
    }
  }

  /**
   * Stores how a request ended, and answers with the ending that is true now: what should be held and finds no room, or
   * can't be stored, has failed; a receipt that can't be stored is a warning.
   */
  ended(session: Session, { request, ending: wanted, fence }: Ended, mode: View['mode']): Ending {
    const at = this.port.now();
    const ending = this.#withRoom(request, wanted, mode);
    const pending = this.#pending.get(request.id);
    this.#pending.delete(request.id);
    const { state, reason, confirmed, bytesWritten } = ending;
    // A grant that could not be recorded was no injection.
    const injected = fence !== undefined && this.#granted.delete(request.id);
    const kind = injected ? 'injection.finished' : state === 'held' ? 'request.held' : 'request.refused';
    const entry: AuditEntry = {
      ...entryOf(session, request, at),
      kind,
      outcome: state,
      confirmed,
      reason,
      bytes: bytesWritten,
      ...(ending.cause ? { detail: { cause: ending.cause } } : {}),
    };
    const changes: Change[] = pending ? [{ type: 'accept', row: pending.row }] : [];
    const patch = { state, reason, confirmed, bytesWritten };
    const records: Change[] = [{ type: 'audit', entry }, ...answered(entry, request)];
    let stored = ending;
    try {
      this.port.journal.commit([...changes, { type: 'settle', id: request.id, at, patch }, ...records]);
    } catch (error) {
      // What has happened stays true: row and record wait for the store together, so that no start settles it again.
      this.port.storeFailed(error);
      if (state === 'held') {
        const refused: AuditEntry = { ...entry, kind: 'request.refused', outcome: 'failed' };
        this.port.journal.owe(at, [
          ...changes,
          { type: 'settle', id: request.id, at, patch: { ...patch, state: 'failed' } },
          { type: 'audit', entry: refused },
        ]);
        return { ...ending, state: 'failed', cause: 'store_unavailable' };
      }
      this.port.journal.owe(at, [...changes, { type: 'settle', id: request.id, at, patch }, ...records]);
      stored = { ...ending, warnings: [...(ending.warnings ?? []), 'store_unavailable'] };
    }
    if (injected) {
      const finished = {
        phase: 'finished',
        outcome: state,
        confirmed,
        reason,
        bytes_written: bytesWritten,
      } as const;
      session.audience.broadcast(injectionFrame(session, request, finished));
    } else if (state === 'held') {
      const { id, origin } = request;
      const seat = session.spec.name;
      session.audience.broadcast({ v: 1, type: 'held', seat, request: id, origin, reason });
    }
    return stored;
  }

  /** Applies the quota of held messages (guard contract 3). */
  #withRoom(request: Request, ending: Ending, { desired, effective }: View['mode']): Ending {
    const keeps = ending.state === 'held';
    const couldKeep = request.origin === 'send' && (readsComposer(desired) || readsComposer(effective));
    if (!keeps && !couldKeep) return ending;
    if (!this.#isFull(request)) return ending;
    const warnings = [...(ending.warnings ?? []), 'retention_full'] as const;
    if (!keeps) return { ...ending, warnings };
    const hold = desired === 'hold' || effective === 'hold';
    return hold
      ? { ...ending, state: 'failed', reason: 'retention_full', cause: ending.reason }
      : { ...ending, state: 'failed', cause: 'retention_full', warnings };
  }

  #isFull(request: Request): boolean {
    const { outbox } = this.port.journal;
    try {
      const { seat, supersede } = request;
      const older = supersede === undefined ? undefined : outbox.heldBySupersede(seat, supersede);
      return isFull(outbox.heldQuota(seat), request, older);
    } catch (error) {
      // Nobody can count: the commit that follows says the same.
      this.port.storeFailed(error);
      return false;
    }
  }

  /** A turn start came late. */
  upgraded(request: Request): void {
    const patch = { state: 'complete', reason: 'confirmed_late', confirmed: true } as const;
    const at = this.port.now();
    this.port.journal.owe(at, [{ type: 'settle', id: request.id, at, patch }]);
  }

  alert(session: Session, { alert, on, sinceAt }: Alert): void {
    this.port.journal.note({
      at: this.port.now(),
      kind: `alert.${alert}`,
      seat: session.spec.name,
      session: session.spec.name,
      generation: session.generation,
      outcome: on ? 'raised' : 'cleared',
      detail: { since: sinceAt },
    });
  }

  modeEffective(session: Session, mode: GuardMode): void {
    this.port.modeEffective(session, mode);
  }

  /** What was accepted and neither granted nor ended is stored as waiting; while the store is away it waits here. */
  flush(): void {
    if (this.#pending.size === 0 || this.port.now() < this.#triedAgainAt) return;
    const changes = [...this.#pending.values()].map(({ row }): Change => ({ type: 'accept', row }));
    try {
      this.port.journal.commit(changes);
      this.#pending.clear();
    } catch (error) {
      this.port.storeFailed(error);
      if (error instanceof JournalError && error.fault !== undefined) {
        this.#triedAgainAt = this.port.now() + STORE_AGAIN_MS;
      } else this.#pending.clear();
    }
  }
}

/** Who asked, as the outbox and the audit feed have it. */
export function identityText({ kind, name, seat }: Identity): string {
  return `${kind} ${seat ?? name}`;
}

/** Why somebody overrode the checks, and whether the composer was looked at. */
function overrideUsed(session: Session, request: Request, at: number): Change[] {
  const { origin, reason, typeWithoutChecking } = request;
  if (origin !== 'override') return [];
  const detail = { why: reason, type_without_checking: typeWithoutChecking };
  return [{ type: 'audit', entry: { ...entryOf(session, request, at), kind: 'override.used', detail } }];
}

/** How long a request waited, and for what. */
function waited({ acceptedAt }: Request, waits: Granted['waits'], at: number): Pick<AuditEntry, 'detail'> {
  if (waits.length === 0) return {};
  const list = waits.map(({ reason, cause, sinceAt }) => ({
    reason,
    since: sinceAt,
    ...(cause ? { cause } : {}),
  }));
  return { detail: { waited_ms: at - acceptedAt, waited: list } };
}

/** A dialog that an answer has closed. */
function answered(entry: AuditEntry, { origin, dialog }: Request): Change[] {
  if (origin !== 'answer' || dialog === undefined || entry.reason !== 'dialog_answered') return [];
  const detail = { dialog: dialog.instance, choice: dialog.choice };
  return [{ type: 'audit', entry: { ...entry, kind: 'dialog.answered', detail } }];
}

function draftOf(session: Session, request: Request): OutboxDraft {
  return {
    id: request.id,
    seat: request.seat,
    session: session.spec.name,
    generation: session.generation,
    identity: identityText(request.identity),
    origin: request.origin,
    urgent: request.urgent,
    body: request.body,
    sha256: request.bodySha256,
    state: 'waiting',
    createdAt: request.acceptedAt,
    deadlineAt: request.deadlineAt,
    ...(request.actor === undefined ? {} : { actor: request.actor }),
    ...(request.routine === undefined ? {} : { routine: request.routine }),
    ...(request.supersede === undefined ? {} : { supersede: request.supersede }),
    ...(request.idempotencyKey === undefined ? {} : { idempotencyKey: request.idempotencyKey }),
  };
}

function entryOf(session: Session, request: Request, at: number): Omit<AuditEntry, 'kind'> {
  return {
    at,
    seat: request.seat,
    session: session.spec.name,
    generation: session.generation,
    request: request.id,
    identity: identityText(request.identity),
    origin: request.origin,
    urgent: request.urgent,
    message: request.body,
    message_sha256: request.bodySha256,
    ...(request.actor === undefined ? {} : { actor: request.actor }),
    ...(request.routine === undefined ? {} : { routine: request.routine }),
  };
}

type Phase =
  | { readonly phase: 'granted' }
  | {
      readonly phase: 'finished';
      readonly outcome: string;
      readonly confirmed: boolean;
      readonly reason: string;
      readonly bytes_written: number;
    };

/** Longest part of a message that a frame repeats: the whole stands in the audit feed and on the screen. */
const SHOWN_CHARACTERS = 2_000;

function injectionFrame(session: Session, request: Request, phase: Phase): ServerFrame {
  return {
    v: 1,
    type: 'injection',
    seat: session.spec.name,
    request: request.id,
    origin: request.origin,
    identity: identityText(request.identity),
    message: request.body.slice(0, SHOWN_CHARACTERS),
    message_bytes: request.bodyBytes,
    ...(request.actor === undefined ? {} : { actor: request.actor }),
    ...(request.routine === undefined ? {} : { routine: request.routine }),
    ...phase,
  };
}
