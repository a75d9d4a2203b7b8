// One stay at a seat: an attachment, the screen it feeds and what to tell about both. Always true: keys go out only while
// attached and allowed; the screen is drawn from a snapshot first and again whenever bytes were lost; leaving ends nothing.
import type { AttachMode } from '../../../protocol/frame.js';
import type { DialogValue } from '../../../protocol/status.js';
import type { Attachment, AttachmentEvents, Client, CloseEvent } from '../../sdk/index.js';
import { Screen, type Size } from '../terminal/screen.js';
import { bytesText } from '../text/wording.js';

export type StayState =
  | { readonly kind: 'attaching' }
  | { readonly kind: 'attached' }
  | { readonly kind: 'lost'; readonly reason: string; readonly retryAt: number }
  | { readonly kind: 'closed'; readonly close: CloseEvent };

/** A question that the terminal puts to the person before anything happens. */
export type Question =
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'clipboard'; readonly text: string }
  | { readonly kind: 'link'; readonly address: string };

type Frames = Pick<AttachmentEvents, 'status' | 'presence' | 'floor' | 'injection' | 'held'>;

export interface StayPort {
  readonly client: Client;
  readonly seat: string;
  readonly mode: AttachMode;
  /** Undefined: one is minted with the operator's credential. */
  readonly token: string | undefined;
  readonly dark: boolean;
  readonly fontSize: number;
  changed(): void;
  typed(): void;
  heard<Name extends keyof Frames>(name: Name, frame: Frames[Name]): void;
}

/** Beyond this the page is hopelessly behind: a fresh snapshot is sooner there than the rest. */
const BEHIND_BYTES = 32 * 1_048_576;
const NOTICE_MS = 6_000;

export class Stay {
  state: StayState = { kind: 'attaching' };
  title = '';
  /** Passing words about the stream: bytes that are missing, another process. */
  notice = '';
  question: Question | undefined;
  dialog: DialogValue | undefined;
  /** The session's size, and what would fit here. */
  size: Size | undefined;
  room: Size | undefined;
  exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  readonly screen: Screen;
  #attachment: Attachment;
  #mode: AttachMode;
  #resize: ReturnType<typeof setTimeout> | undefined;
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;
  #disposed = false;

  constructor(
    readonly port: StayPort,
    host: HTMLElement,
  ) {
    this.#mode = port.mode;
    this.screen = new Screen(
      host,
      {
        input: (bytes) => this.#type(bytes),
        composing: (active) => this.#attachment.composing(active),
        title: (text) => this.#change(() => (this.title = text)),
        pasteAsked: (text) => this.#ask({ kind: 'paste', text }),
        clipboardAsked: (text) => this.#ask({ kind: 'clipboard', text }),
        linkAsked: (address) => this.#ask({ kind: 'link', address }),
        room: (size) => this.#roomIs(size),
      },
      port,
    );
    this.room = this.screen.fitting();
    this.#attachment = this.#attach();
  }

  get mode(): AttachMode {
    return this.#mode;
  }

  /** Attaches again, in another way or after an end. */
  again(mode: AttachMode): void {
    void this.#attachment.detach();
    this.#mode = mode;
    this.exit = undefined;
    this.#attachment = this.#attach();
    this.port.changed();
  }

  /** Types, as if the keys had been pressed. */
  press(keys: string): void {
    this.#type(new TextEncoder().encode(keys));
  }

  answer(yes: boolean): void {
    const { question } = this;
    this.question = undefined;
    if (yes && question?.kind === 'paste') this.screen.paste(question.text);
    if (yes && question?.kind === 'clipboard') {
      navigator.clipboard
        .writeText(question.text)
        .catch(() => this.#say('The browser refused the clipboard.'));
    }
    if (yes && question?.kind === 'link') window.open(question.address, '_blank', 'noopener,noreferrer');
    this.screen.focus();
    this.port.changed();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#resize);
    clearTimeout(this.#noticeTimer);
    void this.#attachment.detach();
    this.screen.dispose();
  }

  #attach(): Attachment {
    const { client, seat, token } = this.port;
    this.state = { kind: 'attaching' };
    this.screen.readOnly = true;
    const wanted = this.#mode === 'view' ? undefined : this.room;
    const attachment = client.attach(seat, {
      mode: this.#mode,
      snapshot: true,
      ...(token === undefined ? {} : { token }),
      ...(wanted ?? {}),
    });
    const mine =
      <Event>(act: (event: Event) => void) =>
      (event: Event) => {
        if (this.#attachment === attachment && !this.#disposed) act(event);
      };
    attachment.on(
      'attached',
      mine(({ notice }) => {
        this.state = { kind: 'attached' };
        this.screen.readOnly = this.#mode === 'view';
        if (notice.rows !== undefined && notice.cols !== undefined) {
          this.#sizeIs({ rows: notice.rows, cols: notice.cols });
        }
        this.port.changed();
      }),
    );
    attachment.on(
      'snapshot',
      mine(({ rows, cols, bytes }) => {
        this.screen.begin({ rows, cols });
        this.screen.write(bytes);
      }),
    );
    attachment.on(
      'bytes',
      mine(({ bytes }) => {
        this.screen.write(bytes);
        if (this.screen.unwritten > BEHIND_BYTES) this.again(this.#mode);
      }),
    );
    attachment.on(
      'gap',
      mine(({ bytes }) => this.#say(`${bytesText(bytes)} of output were lost; the screen is drawn anew.`)),
    );
    attachment.on(
      'restarted',
      mine(() => this.#say('Another process runs here now.')),
    );
    attachment.on(
      'size',
      mine((size) => this.#sizeIs(size)),
    );
    attachment.on(
      'exit',
      mine((exit) => {
        this.exit = exit;
      }),
    );
    attachment.on(
      'lost',
      mine(({ reason, retryInMs }) => {
        this.state = { kind: 'lost', reason, retryAt: Date.now() + retryInMs };
        this.screen.readOnly = true;
        this.port.changed();
      }),
    );
    attachment.on(
      'close',
      mine((close) => {
        this.state = { kind: 'closed', close };
        this.screen.readOnly = true;
        this.dialog = undefined;
        this.port.changed();
      }),
    );
    attachment.on(
      'frame',
      mine((frame) => this.#frame(frame)),
    );
    for (const name of ['status', 'presence', 'floor', 'injection', 'held'] as const) {
      attachment.on(
        name,
        mine((frame: unknown) => this.port.heard(name, frame as never)),
      );
    }
    return attachment;
  }

  #frame(frame: { readonly type: string; readonly [field: string]: unknown }): void {
    if (frame.type === 'dialog') {
      this.#change(() => {
        this.dialog = frame.open === true ? (frame as unknown as DialogValue) : undefined;
      });
    } else if (frame.type === 'shutting-down') this.#say('The runtime is shutting down.');
    else if (frame.type === 'ttl-warning')
      this.#say(`The session ends in ${String(frame.seconds_remaining)} s.`);
    else if (frame.type === 'input_backpressure' && frame.active === true) {
      this.#say('The program does not read its input; keys wait for it.');
    }
  }

  #type(bytes: Uint8Array): void {
    if (this.#attachment.write(bytes) === 'sent' && !isReport(bytes)) this.port.typed();
  }

  #ask(question: Question): void {
    this.#change(() => (this.question = question));
  }

  #sizeIs(size: Size): void {
    this.size = size;
    this.screen.follow(size);
    this.port.changed();
  }

  #roomIs(size: Size): void {
    this.room = size;
    clearTimeout(this.#resize);
    // A window that is being dragged changes many times a second; the program redraws for each.
    this.#resize = setTimeout(() => {
      if (this.#mode !== 'view') this.#attachment.resize(size.rows, size.cols);
    }, 80);
  }

  #say(text: string): void {
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(() => this.#change(() => (this.notice = '')), NOTICE_MS);
    this.#change(() => (this.notice = text));
  }

  #change(change: () => void): void {
    if (this.#disposed) return;
    change();
    this.port.changed();
  }
}

/** Focus and mouse reports: xterm sends them, nobody typed them. */
function isReport(bytes: Uint8Array): boolean {
  const [first, second, kind] = bytes;
  return (
    first === 0x1b && second === 0x5b && [0x49, 0x4f, 0x4d, 0x3c].includes(kind ?? 0) && bytes.length > 2
  );
}
