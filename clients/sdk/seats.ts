// Seats, sends and the audit feed of one runtime. Always true: answers are the server's own, unchanged; a send rejects only
// when there is no answer, a refusal is an answer. It holds no connection.
import type { AuditPage, AuditVerdict } from '../../protocol/audit.js';
import type { GuardState, HeldEntry, HeldList } from '../../protocol/guard.js';
import type {
  CandidateBody,
  CandidateEntry,
  HandoverBody,
  HandoverPlan,
  HandoverRecord,
  LineageAnswer,
  RecoverBody,
} from '../../protocol/handover.js';
import type { PolicyBody, PolicyValue } from '../../protocol/policy.js';
import type { PackList, SeatEntry, SeatStatus } from '../../protocol/seat.js';
import type { SeatSettings } from '../../protocol/status.js';
import type { CaptureAnswer, FloorAnswer, SendAnswer, SendBody } from '../../protocol/transport.js';
import type { AnswerOptions, Method } from './http.js';

export type Ask = <Answer>(
  method: Method,
  path: string,
  body?: object,
  options?: AnswerOptions,
) => Promise<Answer>;

/** What became of a message, with the HTTP status of the answer. */
export type Receipt = SendAnswer & { readonly status: number };

/** A send that waits answers when its wait is over, and then settles and is confirmed. */
const AFTER_WAIT_MS = 60_000;
/** A candidate may take its pack's whole time to get ready, and an old occupant its grace. */
const HANDOVER_LIMIT_MS = 290_000;
/** A long chain is checked in slices; beyond this Node's own client gives up. */
const VERIFY_LIMIT_MS = 270_000;

export function seatCalls(ask: Ask, path: (seat: string) => string) {
  return {
    list: async (): Promise<readonly SeatEntry[]> =>
      (await ask<{ seats: SeatEntry[] }>('GET', '/api/seats')).seats,
    status: (seat: string, options: { explain?: boolean } = {}): Promise<SeatStatus> =>
      ask('GET', `/api/seat/status/${path(seat)}${options.explain ? '?explain=1' : ''}`),
    /** What a plain send would get now, every row with its evidence. */
    floor: (seat: string): Promise<FloorAnswer> => ask('GET', `/api/seat/floor/${path(seat)}`),
    settings: (seat: string, settings: SeatSettings): Promise<SeatSettings> =>
      ask('PATCH', `/api/seat/settings/${path(seat)}`, settings),
    /** An operator says that nothing unsent is left of an earlier message. */
    settle: (seat: string): Promise<void> => ask('POST', `/api/seat/settle/${path(seat)}`),
    capture: (seat: string, lines?: number): Promise<CaptureAnswer> =>
      ask('POST', '/api/transport/capture', { seat, ...(lines === undefined ? {} : { lines }) }),
    /** The receipt of a message; a refusal is a receipt too. */
    send: (body: SendBody): Promise<Receipt> =>
      ask('POST', '/api/transport/send', body, {
        limitMs: (body.wait_ms ?? 0) + AFTER_WAIT_MS,
        receipt: true,
      }),
    /** Answers the permission dialog with this instance, once: a refusal is a receipt too. */
    answer: (seat: string, dialog: string, choice: 'allow_once' | 'deny_once'): Promise<Receipt> =>
      ask(
        'POST',
        '/api/transport/answer',
        { seat, dialog, choice },
        { limitMs: AFTER_WAIT_MS, receipt: true },
      ),
    /** A new typing guard; `pending` while a transaction is under way. */
    setGuard: (seat: string, mode: string, reason: string): Promise<GuardState> =>
      ask('POST', `/api/seat/set-typing-guard/${path(seat)}`, { mode, reason }),
    /** The complete choice of who may intervene; what is left out goes back to the preset's own. */
    setPolicy: (seat: string, body: PolicyBody): Promise<PolicyValue> =>
      ask('POST', `/api/seat/set-terminal-policy/${path(seat)}`, body),
    /** Compacts the agent's conversation by its own command, when the floor and the seat's policy let it. */
    compact: (
      seat: string,
      options: { wait_ms?: number; reason?: string; idempotency_key?: string } = {},
    ): Promise<Receipt> =>
      ask('POST', `/api/seat/compact/${path(seat)}`, options, {
        limitMs: (options.wait_ms ?? 0) + AFTER_WAIT_MS,
        receipt: true,
      }),
    /** Frees the quota of a held message and keeps its record. */
    retire: async (seat: string, id: string, reason: string): Promise<HeldEntry> => {
      const route = `/api/seat/retire-held-message/${path(seat)}/${encodeURIComponent(id)}`;
      return (await ask<{ entry: HeldEntry }>('POST', route, { reason })).entry;
    },
    /** Who sits there, who did, and how each came and went. */
    lineage: (seat: string): Promise<LineageAnswer> => ask('GET', `/api/seat/lineage/${path(seat)}`),
    /** Another occupant takes the seat. What failed or halted is an answer too, with `failure` and both outcomes. */
    handover: (seat: string, body: HandoverBody): Promise<HandoverRecord & { readonly status: number }> =>
      ask('POST', `/api/seat/handover/${path(seat)}`, body, {
        limitMs: HANDOVER_LIMIT_MS,
        receipt: true,
      }),
    /** What a handover would do; nothing is done. */
    planHandover: (seat: string, body: HandoverBody): Promise<HandoverPlan> =>
      ask('POST', `/api/seat/handover/${path(seat)}`, { ...body, dry_run: true }),
    /** An operator settles a handover that has halted. */
    recover: (seat: string, body: RecoverBody): Promise<HandoverRecord> =>
      ask('POST', `/api/seat/recover/${path(seat)}`, body),
    createCandidate: (seat: string, body: CandidateBody): Promise<CandidateEntry> =>
      ask('POST', `/api/seat/candidate/${path(seat)}`, body, { limitMs: HANDOVER_LIMIT_MS }),
    candidates: async (seat: string): Promise<readonly CandidateEntry[]> =>
      (await ask<{ candidates: CandidateEntry[] }>('GET', `/api/seat/candidate/${path(seat)}`)).candidates,
    dropCandidate: (seat: string, id: string): Promise<CandidateEntry> =>
      ask('DELETE', `/api/seat/candidate/${path(seat)}/${encodeURIComponent(id)}`),
    /** Newest first; `retired` 1 gives retired ones too. */
    held: (
      seat: string,
      page: { limit?: number; offset?: number; retired?: 0 | 1 } = {},
    ): Promise<HeldList> => {
      const query = new URLSearchParams(Object.entries(page).map(([key, value]) => [key, String(value)]));
      return ask('GET', `/api/seat/held-messages/${path(seat)}?${query}`);
    },
  };
}

export function auditCalls(ask: Ask) {
  return {
    page: (
      options: { after?: number; seat?: string; kind?: string; limit?: number } = {},
    ): Promise<AuditPage> => {
      const query = new URLSearchParams(Object.entries(options).map(([key, value]) => [key, String(value)]));
      return ask('GET', `/api/audit?${query}`);
    },
    verify: (): Promise<AuditVerdict> =>
      ask('GET', '/api/audit/verify', undefined, { limitMs: VERIFY_LIMIT_MS }),
  };
}

export function packCalls(ask: Ask) {
  return {
    list: (): Promise<PackList> => ask('GET', '/api/agents'),
    reload: (): Promise<PackList> => ask('POST', '/api/agents/reload'),
  };
}
