// Watches one session for its agent: learns the tenure from the foreground group, feeds the status machine in order, and
// tells what changed. Always true: a sequence is judged by who stands in the foreground in the turn in which it comes; the
// kernel is asked at most once a turn; a tenure that has ended inherits nothing to the next. It decides nothing itself.
import type { ProcessFacts } from '../pty/port.js';
import { deriveStatus } from '../status/derive.js';
import { type Explanation, explainStatus } from '../status/explain.js';
import { foldStatus, nextDeadline } from '../status/fold.js';
import {
  classifyForeground,
  type ForegroundVerdict,
  findTenure,
  type RecognisingPack,
} from '../status/foreground.js';
import type { HookEvent } from '../status/rule.js';
import { initialStatus, type StatusState } from '../status/state.js';
import type {
  InterruptKey,
  ReadingEvidence,
  Status,
  StatusChange,
  StatusEvent,
  StatusPack,
} from '../status/status.js';
import { isTenure } from '../status/tenure.js';

export type WatchPack = StatusPack & RecognisingPack;

export interface AgentWatchPort<Pack extends WatchPack> {
  readonly facts: ProcessFacts;
  /** Milliseconds since the epoch: statuses carry times that people read. */
  now(): number;
  after(ms: number, run: () => void): () => void;
  later(run: () => void): void;
  /** First process of the PTY, 0 before it has started. */
  leaderPid(): number;
  /** Offset of all bytes passed so far. */
  offset(): number;
  /** Packs that may recognise the agent: the seat's own, or all of them. */
  packs(): readonly Pack[];
  carriers(): readonly string[];
  /** In order, as they happened. */
  changed(changes: readonly StatusChange[]): void;
}

/** OSC numbers that may mean something; others cost nothing. */
const MEANINGFUL: ReadonlySet<number> = new Set([0, 2, 9, 99, 133, 777, 7501]);

export class AgentWatch<Pack extends WatchPack> {
  #state: StatusState;
  #pack: Pack | undefined;
  #verdict: ForegroundVerdict | undefined;
  #deadline: { readonly at: number; readonly cancel: () => void } | undefined;
  #ended = false;

  constructor(readonly port: AgentWatchPort<Pack>) {
    this.#state = initialStatus(port.now());
  }

  get status(): Status {
    return deriveStatus(this.#state);
  }

  /** The pack of the tenure. */
  get pack(): Pack | undefined {
    return this.#pack;
  }

  explain(): Explanation {
    return explainStatus(this.#state);
  }

  /** Who has the terminal, as the kernel says in this turn. */
  foreground(): ForegroundVerdict {
    if (this.#verdict === undefined) {
      this.#verdict = this.#look();
      this.port.later(() => {
        this.#verdict = undefined;
      });
    }
    return this.#verdict;
  }

  sequence(code: number, body: string): void {
    if (!MEANINGFUL.has(code)) return;
    const { front } = this.foreground();
    const sequence = { code, body, offset: this.port.offset(), at: this.port.now() };
    this.#fold({ type: 'sequence', sequence, front });
  }

  /** RIS. */
  reset(): void {
    this.#fold({
      type: 'reset',
      at: this.port.now(),
      offset: this.port.offset(),
      front: this.foreground().front,
    });
  }

  operatorInterrupt(key: InterruptKey): void {
    this.#fold({ type: 'interrupt', at: this.port.now(), key });
  }

  operatorEnter(): void {
    this.#fold({ type: 'enter', at: this.port.now() });
  }

  hook(hook: HookEvent): void {
    // An agent may report before anybody has looked at who it is.
    if (this.#state.tenure.is !== 'live') this.foreground();
    this.#fold({ type: 'hook', at: this.port.now(), offset: this.port.offset(), hook });
  }

  reading(reading: ReadingEvidence): void {
    this.#fold({ type: 'reading', reading });
  }

  /** Once a second: an agent that came or went without a sequence. */
  tick(): void {
    if (this.#ended || this.port.leaderPid() === 0) return;
    this.foreground();
    this.#fold({ type: 'tick', at: this.port.now() });
  }

  /** The session is over. */
  end(): void {
    if (this.#state.tenure.is === 'live') this.#tenureEnded();
    this.#ended = true;
    this.#deadline?.cancel();
  }

  #look(): ForegroundVerdict {
    const { facts } = this.port;
    const leaderPid = this.port.leaderPid();
    const foreground = leaderPid === 0 ? undefined : facts.foreground(leaderPid);
    const tenure = () => (this.#state.tenure.is === 'live' ? this.#state.tenure.tenure : undefined);
    const classify = () =>
      classifyForeground({
        foreground,
        leaderPid,
        tenure: tenure(),
        rules: this.#pack?.process,
        carriers: this.port.carriers(),
      });
    const live = tenure();
    const verdict = classify();
    if (live && (verdict.front === 'tenure' || this.#alive(live.pid, live))) return verdict;
    if (live) this.#tenureEnded();
    const found = foreground && findTenure(foreground, this.port.packs());
    if (found === undefined) return live ? classify() : verdict;
    this.#pack = found.pack;
    const { pack, tenure: started } = found;
    this.#fold({
      type: 'tenure_started',
      at: this.port.now(),
      offset: this.port.offset(),
      tenure: started,
      pack,
    });
    return classify();
  }

  #alive(pid: number, tenure: Parameters<typeof isTenure>[1]): boolean {
    const fact = this.port.facts.process(pid);
    return fact !== undefined && isTenure(fact, tenure);
  }

  #tenureEnded(): void {
    this.#pack = undefined;
    this.#fold({ type: 'tenure_ended', at: this.port.now(), offset: this.port.offset() });
  }

  #fold(event: StatusEvent): void {
    if (this.#ended) return;
    const { state, changes } = foldStatus(this.#state, event);
    this.#state = state;
    this.#arm(nextDeadline(state));
    if (changes.length > 0) this.port.changed(changes);
  }

  #arm(at: number | undefined): void {
    if (this.#deadline?.at === at) return;
    this.#deadline?.cancel();
    this.#deadline = undefined;
    if (at === undefined) return;
    const cancel = this.port.after(Math.max(0, at - this.port.now()), () => {
      this.#deadline = undefined;
      this.#fold({ type: 'tick', at: this.port.now() });
    });
    this.#deadline = { at, cancel };
  }
}
