// One agent CLI in one shell in one seat: an operator on a real WebSocket, the public API, and the mock model that says what
// arrived. Always true: what a cell concludes comes from those three alone; a wait has a limit and says what was there.
import { join } from 'node:path';
import type { Answer, Operator, SeatRig } from '../support/seat-rig.js';
import type { Cli } from './cli.js';
import type { MockModel } from './mock-model.js';

/** One status as it was told to the operator. `at` in milliseconds since the epoch. */
export interface Told {
  readonly at: number;
  readonly state: string;
  readonly kind?: string;
  readonly source: string;
  readonly cause?: string;
  readonly agent?: string;
  readonly tenure?: string;
  readonly turns: number;
  readonly done?: boolean;
  readonly detail: string;
}

/** What a cell saw is not what it must be. */
export class Wrong extends Error {}
/** The cell can't be measured with this CLI; the message says why. */
export class LeftOut extends Error {}

export function must(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Wrong(sentence);
}

/** As a person types. */
const KEY_PAUSE_MS = 40;
const LOOK_MS = 50;

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export class Field {
  readonly #told: Told[] = [];
  #last = '';
  #sampling = true;
  #agentToken: string | undefined;
  /** Audit record of the last grant that was looked up. */
  #granted = 0;

  private constructor(
    readonly cli: Cli,
    readonly rig: SeatRig,
    readonly operator: Operator,
    readonly model: MockModel,
    readonly place: Place,
    readonly seat: string,
  ) {
    void this.#sample();
  }

  /** A seat with a shell. */
  static async open(cli: Cli, rig: SeatRig, model: MockModel, place: Place): Promise<Field> {
    const command = ['bash', '--noprofile', '--norc', '-i'];
    const field = await Field.#start(cli, rig, model, place, cli.id, command);
    field.operator.type('echo "token=$OPENFLOOR_TOKEN;"\r');
    field.#agentToken = await field.operator.until(
      () => /token=([0-9a-f]{64});/.exec(field.operator.screen)?.[1],
    );
    return field;
  }

  /** Another seat in the same place, whose agent the runtime starts itself. */
  alone(args: readonly string[] = []): Promise<Field> {
    const { cli, rig, model, place } = this;
    return Field.#start(cli, rig, model, place, `${cli.id}-alone`, [cli.command, ...args]);
  }

  static async #start(
    cli: Cli,
    rig: SeatRig,
    model: MockModel,
    place: Place,
    name: string,
    command: readonly string[],
  ): Promise<Field> {
    const wish = { name, command, cwd: place.cwd, env: place.env, rows: 30, cols: 100 };
    const { status, body } = await rig.call('POST', '/admin/sessions', wish);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return new Field(cli, rig, await rig.operator(name), model, place, name);
  }

  close(): void {
    this.#sampling = false;
  }

  /** Statuses as they changed; the operator's frames come with every change, so none is missed. */
  async #sample(): Promise<void> {
    let read = 0;
    while (this.#sampling) {
      const { frames } = this.operator;
      for (; read < frames.length; read++) {
        const frame = frames[read] as unknown as Told & { type: string };
        if (frame.type !== 'status') continue;
        const text = JSON.stringify([frame.state, frame.kind, frame.source, frame.turns, frame.tenure]);
        if (text !== this.#last) this.#told.push({ ...frame, at: Date.now() });
        this.#last = text;
      }
      await pause(LOOK_MS / 5);
    }
  }

  /** Statuses told from this mark on. */
  mark(): number {
    return this.#told.length;
  }
  since(mark: number): readonly Told[] {
    return this.#told.slice(mark);
  }
  story(mark: number): string {
    return this.since(mark)
      .map(
        ({ state, kind, source, turns, detail }) =>
          `${state}${kind ? ` ${kind}` : ''} (${source}, turns ${turns})${process.env.STORY ? JSON.stringify(detail) : ''}`,
      )
      .join(' > ');
  }

  async status() {
    const { body } = await this.rig.call('GET', `/api/seat/status/${this.seat}`);
    return body as {
      status: Told;
      foreground: { class: string; cause?: string };
      composer: { state: string; cause?: string };
      dialog?: { instance: string; kind: string; question: string };
    };
  }
  async floor(): Promise<{
    decision: string;
    reason: string;
    rows: Array<{ row: number; cause?: string; reason?: string }>;
  }> {
    return (await this.rig.call('GET', `/api/seat/floor/${this.seat}`)).body;
  }
  send(text: string, waitMs = 0): Promise<Answer> {
    return this.rig.send(this.seat, text, { wait_ms: waitMs });
  }
  answer(dialog: string, choice: string, token?: string): Promise<Answer> {
    return this.rig.call('POST', '/api/transport/answer', { seat: this.seat, dialog, choice }, token);
  }
  /** The credential that the agent finds in its environment. */
  get agentToken(): string {
    if (this.#agentToken === undefined) throw new Error('the shell never said its token');
    return this.#agentToken;
  }
  /** When the injection of this request was granted, milliseconds since the epoch. */
  async grantedAt(request: string): Promise<number> {
    const path = `/api/audit?seat=${this.seat}&kind=injection.granted&after=${this.#granted}&limit=1000`;
    const records = (await this.rig.call('GET', path)).body.records as Array<{
      seq: number;
      at: number;
      request: string;
    }>;
    const found = records.find((record) => record.request === request);
    if (found === undefined) throw new Wrong(`no grant of ${request} in the audit feed`);
    this.#granted = found.seq;
    return found.at;
  }
  async screen(): Promise<string> {
    const { body } = await this.rig.call('POST', '/api/transport/capture', { seat: this.seat });
    return (body.lines as string[]).join('\n');
  }
  /** Injections granted so far: every one may have written bytes, and nothing else writes any. */
  async granted(): Promise<number> {
    return (await this.rig.audit(this.seat)).filter(({ kind }) => kind === 'injection.granted').length;
  }

  async until<T>(
    what: string,
    limitMs: number,
    find: () => Promise<T | undefined | false> | T | undefined | false,
  ): Promise<T> {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const found = await find();
      if (found !== undefined && found !== false) return found;
      if (Date.now() > deadline) {
        const { status, foreground, composer } = await this.status();
        const { reason } = await this.floor();
        const now = `${status.state} ${status.kind ?? status.cause ?? ''} (${status.source}), ${foreground.class}, composer ${composer.state} ${composer.cause ?? ''}, floor ${reason}`;
        throw new Wrong(`${what} never came in ${limitMs} ms; now ${now}`);
      }
      await pause(LOOK_MS);
    }
  }

  /** Until the status is this one; the answer is the status. */
  reaches(state: string, limitMs: number, also: (status: Told) => boolean = () => true): Promise<Told> {
    return this.until(`status ${state}`, limitMs, async () => {
      const { status } = await this.status();
      return status.state === state && also(status) && status;
    });
  }
  /** Until a plain send would be granted now. */
  free(limitMs = 20_000): Promise<unknown> {
    return this.until('a free floor', limitMs, async () => (await this.floor()).decision === 'grant');
  }

  async type(text: string): Promise<void> {
    for (const key of text) {
      this.operator.type(key);
      await pause(KEY_PAUSE_MS);
    }
  }
  /** Types, looks (agents open menus for some texts), presses Enter. */
  async enter(text: string): Promise<void> {
    await this.type(text);
    await pause(600);
    this.operator.type('\r');
  }
  async interrupt(): Promise<void> {
    for (const key of this.cli.interrupt) {
      this.operator.type(key);
      await pause(300);
    }
  }
  /** Leaves an agent that an earlier cell left in any state. */
  async backToShell(): Promise<void> {
    const inShell = async () => (await this.status()).foreground.class === 'shell';
    const ways = ['\x1b', '\x15', `${this.cli.exit}`, '\r', '\x03', '\x03', '\x04', 'q'];
    for (const way of ways) {
      if (await inShell()) return;
      this.operator.type(way);
      await pause(700);
    }
    if (!(await inShell())) throw new Error('the agent can not be left');
  }

  file(name: string): string {
    return join(this.place.cwd, name);
  }
}
