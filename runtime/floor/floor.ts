// The floor of one seat: requests, decision and transaction as one machine. Always true: at most one holder; a stale fence
// moves nothing; every accepted request gets exactly one `ended`; every `grant` is followed by exactly one `ended` with
// its fence. It has no clock and does no I/O: `step` returns what is to be done, `nextDeadline` says when to call again.

import { decide, explain, type GrantJudgement, type RowFinding } from './decide.js';
import type { Ending, FloorEffect, FloorEvent, WaitState } from './event.js';
import { type ConsumedBy, consume, restage, worth } from './evidence.js';
import { beginsTurn, foldFacts, foldReading, foldStatus, tenureKey } from './fold.js';
import { endingOf, Intake, waitOf, waitsOf } from './intake.js';
import { AUDIT_RETRY_MS, EMPTY_AGAIN_MS, REJUDGE_MS, UNSUBMITTED_MS } from './limit.js';
import type { Fence } from './plan.js';
import { type Group, isSingle, QUEUE_BOUNDS, type QueueBounds, type Waiting } from './queue.js';
import type { Request } from './request.js';
import type { Transaction, TransactionEvent } from './transaction.js';
import * as transaction from './transaction.js';
import { EMPTY_VIEW, type IdleEvidence, type View } from './view.js';

/** Rows that wait for a turn, and for a person to stop typing (floor contract 6). */
const ROW_EVIDENCE = 9;
const ROW_TYPING = 10;

export interface FloorOptions {
  readonly bounds?: QueueBounds;
  /** `full`: an intent is committed before the decision that writes. */
  readonly auditSync?: 'normal' | 'full';
  /** Epoch to go on from, so that fences of an earlier machine of this session stay stale. */
  readonly epoch?: number;
  readonly view?: Partial<View>;
}

export class Floor {
  #view: View;
  #receivedOffset: number;
  readonly #intake: Intake;
  readonly #auditSync: 'normal' | 'full';
  #transaction: Transaction | undefined;
  #epoch: number;
  #intent: { readonly id: string; readonly committed: boolean } | undefined;
  /** The last complete and unconfirmed injection: a turn start still confirms it. */
  #unconfirmed: Request | undefined;
  /** What the idle evidence was when the floor was granted. */
  #evidenceBefore: IdleEvidence = { kind: 'fresh' };
  #alertOn = false;
  #judgedAt = 0;
  #steppedAt = 0;
  #effects: FloorEffect[] = [];

  constructor(options: FloorOptions = {}) {
    this.#view = { ...EMPTY_VIEW, ...options.view };
    this.#receivedOffset = this.#view.receivedOffset;
    this.#intake = new Intake(options.bounds ?? QUEUE_BOUNDS, (effect) => this.#effects.push(effect));
    this.#auditSync = options.auditSync ?? 'normal';
    this.#epoch = options.epoch ?? 0;
  }

  get view(): View {
    if (this.#view.receivedOffset !== this.#receivedOffset)
      this.#set({ receivedOffset: this.#receivedOffset });
    return this.#view;
  }

  get waitingCount(): number {
    return this.#intake.queue.size;
  }

  get waitingBytes(): number {
    return this.#intake.queue.bytes;
  }

  /** The fence under which bytes may be written now. The writer compares before every write of a grant. */
  get fence(): Fence | undefined {
    return this.#transaction?.plan.fence;
  }

  get transaction(): Transaction | undefined {
    return this.#transaction;
  }

  /**
   * Whether a current reading is what a judgement may lack. While an agent works, or somebody types, no reading changes
   * what is decided; asking for one at every key would cost the key its echo.
   */
  get wantsReading(): boolean {
    if (this.#transaction !== undefined) return true;
    return this.#intake.queue.some(
      ({ verdict, head }) =>
        (head !== undefined && isSingle(head.request)) ||
        verdict === undefined ||
        (verdict.row >= ROW_EVIDENCE && verdict.row !== ROW_TYPING),
    );
  }

  /** Hot path of output: bytes have come. It can only make a decision stricter, so nothing is judged. */
  received(offset: number): void {
    this.#receivedOffset = offset;
  }

  /** A result of before a restart, so that its key is not used twice. */
  remember(request: Request, ending: Ending, at: number): void {
    this.#intake.remember(request, ending, at);
  }

  /** What has been typed for a seat is not typed again because another occupant sits there. */
  inherit(from: Floor): void {
    this.#intake.inherit(from.#intake);
  }

  /** The requests of a group, in order. */
  *members(group: string): IterableIterator<Request> {
    for (const one of this.#intake.queue.all()) if (one.group.key === group) yield one.request;
  }

  /** Everything that waits, with its reason. */
  *waiting(): IterableIterator<{ readonly request: Request; readonly wait: WaitState | undefined }> {
    for (const one of this.#intake.queue.all()) yield { request: one.request, wait: waitOf(one) };
  }

  /** Every row with its evidence for a request that isn't submitted. A pure read. */
  explain(request: Request, now: number): RowFinding[] {
    return explain(this.#bound(request), this.view, now);
  }

  /** One event. The effects are performed in their order, in the same turn of the loop. */
  step(event: FloorEvent, now: number): readonly FloorEffect[] {
    this.#effects = [];
    this.#steppedAt = now;
    const brings = event.kind === 'facts' ? event.facts.foreground : undefined;
    // What stood in the foreground is known for one turn only.
    this.#set({ receivedOffset: this.#receivedOffset, foreground: brings ?? { kind: 'unread' } });
    this.#intake.resume();
    this.#apply(event, now);
    this.#renew(now);
    this.#move({ kind: 'changed' }, now);
    const undecided = this.#judgeAll(now);
    this.#intake.expire(this.#view, now, undecided);
    this.#alert(now);
    return this.#effects;
  }

  /** When `step` with a tick is due if nothing else happens; undefined: never. */
  nextDeadline(): number | undefined {
    const { view } = this;
    const { evidence, presence } = view;
    const times: Array<number | undefined> = [];
    const running = this.#transaction;
    if (running !== undefined) times.push(transaction.nextDeadline(running, view, this.#steppedAt));
    if (evidence.kind === 'consumed' && !this.#alertOn) times.push(evidence.at + UNSUBMITTED_MS);
    if (this.waitingCount > 0) {
      times.push(this.#judgedAt + REJUDGE_MS, this.#intake.queue.earliest?.dueAt, presence.composingUntilAt);
      if (presence.lastKeyAt !== undefined && this.#intake.queue.some(waitsForQuiet))
        times.push(presence.lastKeyAt + view.settings.humanQuietMs);
      if (evidence.kind === 'consumed') times.push(evidence.at + view.settings.confirmMs);
      const either = view.status.state === 'idle' && view.status.means === 'idle_or_blocked';
      if (either && view.emptySinceAt !== undefined) times.push(view.emptySinceAt + EMPTY_AGAIN_MS);
      if (view.holder.kind === 'shut') times.push(view.holder.untilAt);
    }
    let next: number | undefined;
    for (const time of times) {
      if (time === undefined || time <= this.#steppedAt || time === Number.POSITIVE_INFINITY) continue;
      if (next === undefined || time < next) next = time;
    }
    return next;
  }

  #set(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change };
  }

  /** A message is for the occupant it was sent to, whether the sender named it or not. */
  #bound(request: Request): Request {
    const { session } = this.#view;
    if (request.expectGeneration !== undefined || session.kind === 'missing') return request;
    return { ...request, expectGeneration: session.generation };
  }

  #apply(event: FloorEvent, now: number): void {
    switch (event.kind) {
      case 'submit':
        this.#intake.submit(this.#bound(event.request), this.#view, now);
        break;
      case 'withdraw':
        this.#intake.withdraw(event.id, event.reason ?? 'withdrawn', this.#transaction?.plan.request.id, now);
        break;
      case 'facts':
        this.#facts(event);
        break;
      case 'status':
        this.#status(event, now);
        break;
      case 'reading':
        this.#set(foldReading(this.#view, event.reading, now));
        break;
      case 'operator':
        this.#operator(event.input, now);
        break;
      case 'composing':
        this.#set({ presence: { ...this.#view.presence, composingUntilAt: event.untilAt } });
        break;
      case 'mode':
        this.#set({ mode: { ...this.#view.mode, desired: event.mode } });
        break;
      case 'settle':
        this.#set({ evidence: { kind: 'fresh' }, lifecycleOwed: false });
        break;
      case 'intent_committed':
        if (this.#intent?.id === event.id) this.#intent = { id: event.id, committed: true };
        break;
      case 'intent_failed':
        this.#intentFailed(event.id, now);
        break;
      case 'tick':
        break;
      default: {
        const mine = this.fence;
        if (mine?.epoch === event.fence.epoch && mine.generation === event.fence.generation) {
          this.#move(event, now);
        }
      }
    }
  }

  #facts({ facts }: FloorEvent & { kind: 'facts' }): void {
    const before = tenureKey(this.#view);
    this.#view = foldFacts(this.#view, facts);
    this.#receivedOffset = this.#view.receivedOffset;
    if (tenureKey(this.#view) !== before) this.#unconfirmed = undefined;
  }

  #status(event: FloorEvent & { kind: 'status' }, now: number): void {
    const wasWorking = this.#view.status.state === 'working';
    const turn = beginsTurn(this.#view, event);
    this.#view = foldStatus(this.#view, event, now);
    if (!turn || wasWorking || this.#unconfirmed === undefined) return;
    this.#effects.push({ kind: 'upgraded', request: this.#unconfirmed });
    this.#unconfirmed = undefined;
  }

  #operator(input: 'key' | 'enter' | 'pointer', now: number): void {
    if (input !== 'pointer') this.#set({ presence: { ...this.#view.presence, lastKeyAt: now } });
    this.#move({ kind: 'operator' }, now);
    if (input !== 'enter') return;
    this.#set({ evidence: consume(this.#view, 'operator_enter', now) });
    // The turn that follows is the person's.
    this.#unconfirmed = undefined;
  }

  #intentFailed(id: string, now: number): void {
    if (this.#intent?.id !== id) return;
    this.#intent = undefined;
    const waiting = this.#intake.queue.get(id);
    if (waiting !== undefined) {
      this.#intake.endWaiting(waiting, { state: 'failed', reason: 'audit_unavailable' }, now);
    }
    if (this.#view.holder.kind !== 'held') {
      this.#set({ holder: { kind: 'shut', untilAt: now + AUDIT_RETRY_MS } });
    }
  }

  /** What passes by itself: idle evidence that is good again, a mode that was waiting for the floor, a shut floor. */
  #renew(now: number): void {
    const { evidence, mode, holder } = this.#view;
    if (evidence.kind === 'consumed' && worth(this.#view, now) !== 'spent') {
      this.#set({ evidence: { kind: 'fresh' } });
    }
    if (holder.kind === 'shut' && now >= holder.untilAt) this.#set({ holder: { kind: 'free' } });
    if (mode.desired !== mode.effective && this.#transaction === undefined) {
      this.#set({ mode: { desired: mode.desired, effective: mode.desired } });
      this.#effects.push({ kind: 'mode_effective', mode: mode.desired });
    }
  }

  /** Steps the transaction and does what follows from its effects and its end. */
  #move(event: TransactionEvent, now: number): void {
    const running = this.#transaction;
    if (running === undefined) return;
    const { next, effects } = transaction.step(running, event, this.#view, now);
    this.#transaction = next;
    // Every piece of a paste counts: what was drawn before the last one says nothing about the whole.
    const message = next.plan.kind === 'message';
    if (event.kind === 'paste_written' && message) this.#wrote('paste', now);
    for (const effect of effects) {
      this.#effects.push(effect);
      if (effect.kind === 'write_paste') this.#wrote(message ? 'paste' : 'dialog_keys', now);
      if (effect.kind !== 'write_enter') continue;
      this.#wrote(message ? 'enter' : 'dialog_keys', now);
      if (next.plan.request.origin === 'lifecycle') this.#set({ lifecycleOwed: true });
    }
    if (next.end !== undefined) this.#release(next.plan.request, next.end, next, now);
  }

  #wrote(by: ConsumedBy, now: number): void {
    this.#set({ evidence: consume(this.#view, by, now) });
    this.#unconfirmed = undefined;
  }

  #release(request: Request, end: Ending, { plan }: Transaction, now: number): void {
    this.#transaction = undefined;
    const unrecorded =
      end.reason === 'audit_unavailable' || end.reason === 'prompt_override_audit_unavailable';
    this.#set({ holder: unrecorded ? { kind: 'shut', untilAt: now + AUDIT_RETRY_MS } : { kind: 'free' } });
    // Nothing was written, so nothing was spent.
    if (end.state === 'failed') this.#set({ evidence: this.#evidenceBefore });
    // A frame that was cut is closed only now, so what stands in the composer is not older than this.
    if (end.state === 'indeterminate' && plan.kind === 'message') {
      this.#set({ evidence: restage(this.#view, now) });
    }
    if (end.state === 'complete' && !end.confirmed && plan.kind === 'message') this.#unconfirmed = request;
    this.#intake.end(request, end, now, plan.fence);
    this.#renew(now);
  }

  /** Judges the head of every group, in order. True: a judgement waits for the foreground. */
  #judgeAll(now: number): boolean {
    this.#judgedAt = now;
    let termios = false;
    for (const group of this.#intake.queue.groups()) {
      const head = group.head;
      if (head === undefined) continue;
      const judged = decide(head.request, this.#view, now, 'waiting');
      if (judged.kind === 'needs_foreground') {
        // What comes later in the order must not pass a head that lacks one more fact of this turn.
        this.#effects.push({ kind: 'read_foreground' });
        return true;
      }
      if (judged.kind === 'grant') this.#tryGrant(group, head, judged, now);
      else if (judged.kind === 'wait') this.#intake.verdict(group, judged, now);
      else this.#intake.endGroup(group, endingOf(judged), now);
      termios ||= judged.kind === 'wait' && judged.cause === 'termios_unread';
    }
    if (termios) this.#effects.push({ kind: 'read_termios' });
    return false;
  }

  #tryGrant(group: Group, head: Waiting, judgement: GrantJudgement, now: number): void {
    if (this.#mayGrant(head)) this.#grant(head, judgement, now);
    else this.#intake.verdict(group, { row: 4, reason: 'floor_held', cause: 'intent_pending' }, now);
    // Those behind it in the same group wait for the floor now.
    const held = this.#transaction !== undefined && group.head !== undefined;
    if (held) this.#intake.verdict(group, { row: 4, reason: 'floor_held' }, now);
  }

  /** With `audit_sync = "full"`: a grant needs the intent on the disk first. */
  #mayGrant(head: Waiting): boolean {
    if (this.#auditSync === 'normal') return true;
    const { id } = head.request;
    if (this.#intent?.id === id) return this.#intent.committed;
    if (this.#intent !== undefined && this.#intake.queue.get(this.#intent.id) !== undefined) return false;
    this.#intent = { id, committed: false };
    this.#effects.push({ kind: 'commit_intent', request: head.request });
    return false;
  }

  #grant(head: Waiting, judgement: GrantJudgement, now: number): void {
    const { request } = head;
    const { session } = this.#view;
    if (session.kind !== 'live') return;
    const waits = waitsOf(head, now);
    this.#intake.queue.remove(head);
    this.#intent = undefined;
    const fence: Fence = { generation: session.generation, epoch: ++this.#epoch };
    this.#transaction = transaction.begin(request, this.#view, fence);
    this.#evidenceBefore = this.#view.evidence;
    this.#set({ holder: { kind: 'held', request: request.id, sinceAt: now } });
    const pasteBytes = this.#transaction.plan.paste.length;
    this.#effects.push({ kind: 'grant', request, fence, pasteBytes, judgement, waits });
  }

  /** Since when text of an earlier message lies unsubmitted; undefined when none does. */
  get unsubmittedSince(): number | undefined {
    const { evidence } = this.#view;
    return this.#alertOn && evidence.kind === 'consumed' ? evidence.at : undefined;
  }

  #alert(now: number): void {
    const { evidence, status } = this.#view;
    const spent = evidence.kind === 'consumed' && !evidence.turnSeen && status.state === 'idle';
    const on = spent && now - evidence.at >= UNSUBMITTED_MS && this.#transaction === undefined;
    if (on === this.#alertOn) return;
    this.#alertOn = on;
    const sinceAt = evidence.kind === 'consumed' ? evidence.at : now;
    this.#effects.push({ kind: 'alert', alert: 'unsubmitted_text', on, sinceAt });
  }
}

const waitsForQuiet = ({ verdict }: Group) => verdict?.row === ROW_TYPING;
