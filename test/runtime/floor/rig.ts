// A session in miniature around one floor: a journal, a PTY whose kernel buffer may be full, an agent with a composer and
// dialogs whose output arrives late, and the input ledger. Every effect is performed as the session would, and every
// invariant that the floor answers for (floor.md 9) is checked where it could break.
import * as assert from 'uvu/assert';
import type { Ending, FloorEffect, FloorEvent, WaitState } from '../../../runtime/floor/event.js';
import { Floor, type FloorOptions } from '../../../runtime/floor/floor.js';
import type { GuardMode } from '../../../runtime/floor/mode.js';
import type { Fence } from '../../../runtime/floor/plan.js';
import type { Request } from '../../../runtime/floor/request.js';
import { endingAtStart } from '../../../runtime/floor/restart.js';
import type { DialogView, ForegroundView, ReadingView, StatusView } from '../../../runtime/floor/view.js';
import { requestOf, viewOf } from './vector.js';

const decoder = new TextDecoder();
const START = '\u001b[200~';
const END = '\u001b[201~';

/** What the agent has put out and the runtime has not read yet. */
type Output =
  | { readonly kind: 'draw'; readonly composer: string; readonly dialog: DialogView | undefined }
  | { readonly kind: 'signal'; readonly status: StatusView };

interface Injection {
  readonly request: Request;
  readonly waits: readonly WaitState[];
  readonly fence: Fence;
  recorded: boolean;
  ended: Ending | undefined;
  pasteBytes: number;
  enters: number;
  /** A person's key or click came after the paste began. */
  touched: boolean;
}

interface Paste {
  readonly fence: Fence;
  readonly text: string;
  readonly framed: boolean;
  /** Characters that have gone to the child; bodies are ASCII, so they are bytes. */
  written: number;
}

export interface RigOptions {
  /** Whether the composer's reader knows this agent. */
  readonly reader: boolean;
  readonly means: 'idle' | 'idle_or_blocked';
  readonly auditSync: 'normal' | 'full';
}

export class Rig {
  now = 100_000;
  floor: Floor;
  /** Bytes at the child, in order, with their source. */
  readonly log: Array<{
    readonly source: 'operator' | 'grant';
    readonly text: string;
    readonly frame?: number;
  }> = [];
  readonly states = new Map<string, 'waiting' | 'sending' | Ending>();
  readonly injections: Injection[] = [];
  readonly submissions: Array<{ readonly text: string; readonly by: 'operator' | 'grant' }> = [];
  readonly effects: FloorEffect[] = [];
  auditWorks = true;
  /** What the kernel takes before it is full. */
  room = Number.POSITIVE_INFINITY;
  front: ForegroundView = { kind: 'agent', carrier: false };

  composer = '';
  dialog: DialogView | undefined;
  drawn = { composer: '', dialog: undefined as DialogView | undefined };
  outputs: Output[] = [];
  generation = 7;
  tenure = 1;
  private received = 9_000;
  private signal = 5;
  private paste: Paste | undefined;
  private ledgerAt: number | undefined;
  private operatorEntered = false;
  private goneByHearsay = false;
  private sequence = 0;
  private dialogs = 0;

  constructor(readonly options: RigOptions) {
    this.floor = this.#newFloor({});
    this.read();
  }

  #newFloor(options: FloorOptions): Floor {
    const idle: StatusView = { state: 'idle', means: this.options.means };
    const view = viewOf({ status: idle, reading: undefined as never, foreground: { kind: 'unread' } });
    return new Floor({
      ...options,
      auditSync: this.options.auditSync,
      view: { ...view, session: this.#session(), receivedOffset: this.received, signal: this.signal },
    });
  }

  #session() {
    const tenure = this.tenure === 0 ? undefined : `${this.tenure}`;
    return { kind: 'live', generation: this.generation, tenure, freshTenure: false } as const;
  }

  step(event: FloorEvent): readonly FloorEffect[] {
    const effects = this.floor.step(event, this.now);
    this.effects.push(...effects);
    for (const effect of effects) this.#perform(effect);
    return effects;
  }

  get running(): Injection | undefined {
    const last = this.injections.at(-1);
    return last?.ended === undefined ? last : undefined;
  }

  // What the world does.

  submit(change: Partial<Request>, waitMs: number): Request {
    const id = `r${++this.sequence}`;
    const acceptedAt = this.now;
    const body = change.body ?? `message ${id}.`;
    const request = requestOf({
      id,
      waitMs,
      acceptedAt,
      deadlineAt: acceptedAt + waitMs,
      body,
      bodyBytes: body.length,
      bodySha256: body,
      expectGeneration: this.generation,
      ...change,
    });
    this.step({ kind: 'submit', request });
    return request;
  }

  key(text: string): void {
    this.#cutFrame();
    this.log.push({ source: 'operator', text });
    if (this.running !== undefined) this.running.touched = true;
    this.ledgerAt = this.received;
    this.operatorEntered = false;
    this.step({ kind: 'facts', facts: { ledger: 'draft' } });
    this.step({ kind: 'operator', input: 'key' });
    if (this.dialog === undefined) this.composer += text;
    else this.closeDialog();
  }

  enter(): void {
    this.#cutFrame();
    this.log.push({ source: 'operator', text: '\r' });
    if (this.running !== undefined) this.running.touched = true;
    this.operatorEntered = true;
    this.goneByHearsay = this.composer !== '' && this.dialog !== undefined;
    this.step({ kind: 'operator', input: 'enter' });
    if (this.dialog !== undefined) this.closeDialog();
    else this.#submitComposer('operator');
  }

  click(): void {
    this.#cutFrame();
    if (this.running !== undefined) this.running.touched = true;
    this.step({ kind: 'operator', input: 'pointer' });
  }

  /** An operator has looked, sees that nothing stands there, and says so. */
  declareSettled(): void {
    if (this.composer === '') this.step({ kind: 'settle' });
  }

  /** The agent draws what it has. */
  draw(): void {
    this.outputs.push({ kind: 'draw', composer: this.composer, dialog: this.dialog });
  }

  /** The agent reports what it does. */
  report(state: 'idle' | 'working' | 'blocked'): void {
    const status: StatusView =
      state === 'idle'
        ? { state, means: this.options.means }
        : state === 'working'
          ? { state }
          : { state, kind: 'permission', hard: true };
    this.outputs.push({ kind: 'signal', status });
  }

  openDialog(kind: string): void {
    if (this.dialog !== undefined) return;
    const keys = { allow_once: '1', deny_once: '2' };
    this.dialog = { instance: `d${++this.dialogs}`, kind, truncated: false, keys };
  }

  closeDialog(): void {
    this.dialog = undefined;
  }

  /** The runtime reads some of the agent's output. */
  deliver(count: number): void {
    for (const output of this.outputs.splice(0, count)) {
      this.received += 10;
      this.floor.received(this.received);
      if (output.kind === 'draw') {
        this.drawn = { composer: output.composer, dialog: output.dialog };
      } else {
        this.signal++;
        this.step({ kind: 'status', status: output.status, signal: this.signal, source: 'program' });
        if (output.status.state !== 'working') continue;
        this.goneByHearsay = this.composer !== '';
        if (this.operatorEntered) this.#clearLedger();
      }
    }
  }

  /** The screen model has read everything that was received. */
  read(): void {
    const { composer, dialog } = this.drawn;
    const own = this.floor.transaction?.plan.request.body;
    const view: ReadingView = {
      offset: this.received,
      composer: !this.options.reader
        ? { kind: 'unknown', cause: 'composer_unread' }
        : composer === ''
          ? { kind: 'empty' }
          : { kind: 'draft', ownership: composer === own ? 'ours' : 'other' },
      vetoes: dialog !== undefined && this.options.reader ? ['menu_or_picker'] : [],
      dialog,
      rows: ['transcript', `> ${composer}`, 'footer'],
      cursorRow: 1,
      pasteLabels: 0,
    };
    if (this.options.reader && composer === '' && (this.ledgerAt ?? -1) < this.received) this.#clearLedger();
    this.step({ kind: 'reading', reading: view });
  }

  mode(mode: GuardMode): void {
    this.step({ kind: 'mode', mode });
  }

  advance(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const due = this.floor.nextDeadline();
      if (due === undefined || due > until) break;
      assert.ok(due > this.now, 'a deadline that has passed would spin');
      this.now = due;
      this.step({ kind: 'tick' });
    }
    this.now = until;
    this.step({ kind: 'tick' });
  }

  /** The kernel takes more of a paste that was stuck. */
  drain(): void {
    if (this.paste !== undefined) this.#pump();
  }

  /** The agent ends; `next`: another one starts at once. */
  endTenure(next: boolean): void {
    this.tenure = next ? this.generation * 1_000 + this.dialogs + this.sequence + 1 : 0;
    this.step({ kind: 'facts', facts: { session: this.#session(), ledger: 'empty' } });
    this.#agentGone();
    this.signal++;
    const status: StatusView = { state: 'unknown', cause: 'starting' };
    this.step({ kind: 'status', status, signal: this.signal, source: 'process' });
  }

  restartSession(): void {
    this.step({ kind: 'facts', facts: { session: { kind: 'ended', generation: this.generation } } });
    this.#agentGone();
    this.generation++;
    this.tenure = this.generation * 1_000;
    this.step({ kind: 'facts', facts: { session: this.#session(), ledger: 'empty' } });
  }

  /** The runtime dies and starts again: the journal settles what was open, the children are gone. */
  crash(): void {
    for (const [id, state] of this.states) {
      if (typeof state !== 'string') continue;
      const ending = endingAtStart(state);
      assert.ok(ending);
      this.states.set(id, ending);
      const injection = this.injections.find((one) => one.request.id === id);
      if (injection !== undefined && injection.ended === undefined) injection.ended = ending;
    }
    // The child of a runtime that died is gone, and with it the open frame.
    this.#cutFrame();
    this.#agentGone();
    this.generation++;
    this.tenure = this.generation * 1_000;
    this.floor = this.#newFloor({ epoch: this.floor.fence?.epoch ?? this.injections.length });
    this.read();
  }

  // What the session does with effects.

  #perform(effect: FloorEffect): void {
    switch (effect.kind) {
      case 'accepted':
        assert.not.ok(this.states.has(effect.request.id), 'accepted once');
        this.states.set(effect.request.id, 'waiting');
        break;
      case 'grant':
        this.#grant(effect);
        break;
      case 'write_paste':
        this.#startPaste(effect.fence, effect.bytes);
        break;
      case 'cut_paste':
        if (this.paste?.fence.epoch === effect.fence.epoch) this.#cutFrame();
        break;
      case 'write_enter':
        this.#writeEnter(effect.fence, decoder.decode(effect.bytes));
        break;
      case 'ended':
        this.#ended(effect);
        break;
      case 'read_foreground':
        this.step({ kind: 'facts', facts: { foreground: this.front } });
        break;
      case 'commit_intent':
        this.step({ kind: this.auditWorks ? 'intent_committed' : 'intent_failed', id: effect.request.id });
        break;
      default:
        break;
    }
  }

  #grant(effect: FloorEffect & { kind: 'grant' }): void {
    const { request, fence, waits } = effect;
    assert.is(this.running, undefined, 'I3: one holder');
    assert.is(this.states.get(request.id), 'waiting', 'I5: only what waits is granted');
    assert.not.ok(
      this.injections.some((one) => one.request.id === request.id),
      'I7: granted once',
    );
    this.injections.push({
      request,
      fence,
      waits,
      recorded: false,
      ended: undefined,
      pasteBytes: 0,
      enters: 0,
      touched: false,
    });
    if (this.auditWorks) {
      this.states.set(request.id, 'sending');
      this.injections.at(-1)!.recorded = true;
      this.step({ kind: 'recorded', fence });
    } else this.step({ kind: 'audit_unavailable', fence });
  }

  #startPaste(fence: Fence, bytes: Uint8Array): void {
    const one = this.running;
    assert.ok(one?.recorded, 'I4: recorded before the first byte');
    assert.equal(this.floor.fence, fence, 'I3: the fence is good');
    assert.is(this.paste, undefined, 'I2: no other frame is open');
    assert.is(one.pasteBytes, 0, 'I7: pasted once');
    this.#mayWrite(one.request);
    const text = decoder.decode(bytes);
    this.paste = { fence, text, framed: text.startsWith(START), written: 0 };
    this.#pump();
  }

  /** I1, said again in the simplest words, from what the runtime knows. */
  #mayWrite(request: Request): void {
    const { view } = this.floor;
    assert.is(view.session.kind, 'live');
    assert.is(view.gate, 'open');
    assert.is(this.front.kind, 'agent', 'I1: the agent is in front');
    assert.is(view.reading?.offset, view.receivedOffset, 'I1: the reading is current');
    if (request.origin === 'answer') {
      assert.is(view.reading?.dialog?.instance, request.dialog?.instance, 'I8: this very dialog');
      assert.is(view.reading?.dialog?.kind, 'permission', 'I8: a permission');
      return;
    }
    assert.is(view.status.state, 'idle', 'I1: idle');
    assert.is(view.ledger, 'empty', 'I1: the ledger is empty');
    assert.is.not(view.reading?.composer.kind, 'draft', 'I1: no draft');
    assert.ok(this.now - (view.presence.lastKeyAt ?? 0) >= view.settings.humanQuietMs, 'I1: nobody types');
    const { effective, desired } = view.mode;
    for (const mode of [effective, desired]) {
      if (mode === 'hold') assert.unreachable('I1: hold types nothing');
      if (mode === 'openrig-urgent' || mode === 'urgent-only') {
        assert.ok(request.urgent || (request.origin === 'notice' && mode === 'openrig-urgent'), 'I1: mode');
      }
      if (mode === 'sends-only') assert.is.not(request.origin, 'notice', 'I1: mode');
    }
  }

  #pump(): void {
    const paste = this.paste;
    if (paste === undefined) return;
    if (this.floor.fence?.epoch !== paste.fence.epoch) {
      // I3: a stale fence writes nothing more; only its open frame is closed.
      this.#cutFrame();
      return;
    }
    const count = Math.min(this.room, paste.text.length - paste.written);
    this.room -= count;
    this.#toChild(paste, paste.text.slice(paste.written, paste.written + count));
    paste.written += count;
    const complete = paste.written === paste.text.length;
    if (complete) {
      this.paste = undefined;
      this.#pasted(paste.text);
    }
    this.step({ kind: 'paste_written', fence: paste.fence, bytes: paste.written, complete });
  }

  #toChild(paste: Paste, text: string): void {
    if (text === '') return;
    this.injections.at(-1)!.pasteBytes += text.length;
    const frame = paste.framed ? { frame: paste.fence.epoch } : {};
    this.log.push({ source: 'grant', text, ...frame });
  }

  /** The writer's rule: drop the rest, complete the marker under way, close the frame. */
  #cutFrame(): void {
    const paste = this.paste;
    if (paste === undefined) return;
    this.paste = undefined;
    if (paste.written === 0 || !paste.framed) return;
    const { text, written } = paste;
    const inEnd = written > text.length - END.length;
    const rest = written < START.length ? START.slice(written) + END : inEnd ? text.slice(written) : END;
    this.#toChild(paste, rest);
    this.#pasted(inEnd ? text : text.slice(0, Math.max(START.length, written)) + END);
  }

  #pasted(frame: string): void {
    if (frame.startsWith(START)) {
      if (this.dialog === undefined) this.composer += frame.slice(6, -6);
    } else this.closeDialog();
  }

  #writeEnter(fence: Fence, text: string): void {
    const one = this.running;
    assert.ok(one);
    assert.equal(this.floor.fence, fence, 'I3: the fence is good');
    assert.is(one.enters, 0, 'I1: one Enter');
    assert.not.ok(one.touched, 'I1: no key since the paste');
    assert.ok(this.drawn.composer.endsWith(one.request.body), 'I1: the text was seen');
    // Without a reader, a turn or a person's Enter since is all that says that an older text has gone.
    const told = !this.options.reader && this.goneByHearsay;
    if (!told) assert.is(this.composer, one.request.body, 'nothing is fused');
    const { status } = this.floor.view;
    assert.is(status.state, 'idle', 'I1: idle');
    assert.is(this.front.kind, 'agent', 'I1: the agent is in front');
    const taken = this.room > 0;
    one.enters++;
    if (taken) {
      this.log.push({ source: 'grant', text });
      if (this.dialog === undefined) this.#submitComposer('grant');
    }
    this.step({ kind: 'enter_written', fence, taken });
  }

  #ended({ request, ending, fence }: FloorEffect & { kind: 'ended' }): void {
    const before = this.states.get(request.id);
    assert.ok(before === 'waiting' || before === 'sending', 'I5: one final state');
    this.states.set(request.id, ending);
    const one = this.injections.find((each) => each.request.id === request.id);
    assert.is(one !== undefined, fence !== undefined, 'I4: finished if granted');
    if (one === undefined) {
      assert.is(ending.bytesWritten, 0);
      assert.ok(ending.state === 'failed' || ending.state === 'held');
      return;
    }
    assert.is(one.ended, undefined, 'I4: finished once');
    one.ended = ending;
    if (ending.state === 'failed') assert.is(one.pasteBytes, 0, 'I7: failed means no byte');
    if (ending.state === 'complete' && request.origin !== 'answer')
      assert.is(one.enters, 1, 'complete has its Enter');
  }

  #submitComposer(by: 'operator' | 'grant'): void {
    if (this.composer === '') return;
    this.submissions.push({ text: this.composer, by });
    this.composer = '';
    this.goneByHearsay = false;
  }

  #clearLedger(): void {
    this.ledgerAt = undefined;
    if (this.floor.view.ledger !== 'empty') this.step({ kind: 'facts', facts: { ledger: 'empty' } });
  }

  #agentGone(): void {
    this.composer = '';
    this.goneByHearsay = false;
    this.dialog = undefined;
    this.outputs = [];
    this.drawn = { composer: '', dialog: undefined };
    this.ledgerAt = undefined;
    this.operatorEntered = false;
  }

  /** At the end: everything that was accepted has one final state, and no frame was torn. */
  settle(): void {
    this.crash();
    for (const [id, state] of this.states)
      assert.ok(typeof state !== 'string', `I5: ${id} is still ${state}`);
    for (const one of this.injections) assert.ok(one.ended, 'I4: finished');
    const frames = new Map<number, string>();
    let last: number | undefined;
    for (const { text, frame } of this.log) {
      if (frame !== undefined && frames.has(frame)) assert.is(frame, last, 'I2: nothing inside a frame');
      if (frame !== undefined) frames.set(frame, (frames.get(frame) ?? '') + text);
      last = frame;
    }
    for (const text of frames.values()) {
      assert.is(text.indexOf(START), 0, 'a frame begins');
      assert.is(text.indexOf(END), text.length - END.length, 'a frame ends once');
    }
  }
}
