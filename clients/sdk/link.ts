// One connection of an attachment: dialled once, watched, gone. Always true: after `end` was called nothing comes from
// it any more; a peer that is silent for three heartbeats is taken for dead, unless reading is paused. It decides
// nothing: what an end means is the attachment's business.
import { INPUT_FRAME_BYTES } from '../../protocol/limit.js';
import { ATTACH_PROTOCOL } from '../../protocol/plane.js';
import { type ReadFrame, readServerFrame } from './server-frame.js';
import type { Dial, Refusal, Socket } from './socket.js';

/** An app ping is sent this often; its pong is the frame that a quiet session's watchdog sees. */
export const HEARTBEAT_MS = 15_000;
/** Heartbeats without any frame after which the connection counts as lost. */
const SILENT_HEARTBEATS = 3;

export interface LinkEvents {
  frame(frame: ReadFrame): void;
  binary(bytes: Uint8Array): void;
  /** Before each ping. */
  heartbeat(): void;
  refused(refusal: Refusal): void;
  close(code: number, reason: string): void;
}

export class Link {
  readonly #socket: Socket;
  readonly #timer: ReturnType<typeof setInterval>;
  #silent = 0;
  #reading: 'on' | 'paused' | 'ended' = 'on';

  constructor(dial: Dial, request: { url: string; token: string }, heartbeatMs: number, events: LinkEvents) {
    const over = <Arguments extends unknown[]>(tell: (...args: Arguments) => void) => {
      return (...args: Arguments) => {
        if (this.#reading === 'ended') return;
        this.#stop();
        tell(...args);
      };
    };
    this.#timer = setInterval(() => this.#beat(events), heartbeatMs);
    this.#socket = dial(
      { ...request, protocol: ATTACH_PROTOCOL },
      {
        open: () => this.#seen(),
        alive: () => this.#seen(),
        text: (text) => {
          if (this.#reading === 'ended') return;
          this.#seen();
          const frame = readServerFrame(text);
          if (frame !== undefined) events.frame(frame);
        },
        bytes: (bytes) => {
          if (this.#reading === 'ended') return;
          this.#seen();
          events.binary(bytes);
        },
        refused: over((refusal: Refusal) => events.refused(refusal)),
        close: over((code: number, reason: string) => events.close(code, reason)),
      },
    );
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes;
  }

  send(frame: { readonly type: string; readonly [field: string]: unknown }): void {
    if (this.#reading !== 'ended') this.#socket.sendText(JSON.stringify({ v: 1, ...frame }));
  }

  /** Input, in frames that the server accepts. */
  sendInput(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += INPUT_FRAME_BYTES) {
      this.#socket.sendBytes(bytes.subarray(at, at + INPUT_FRAME_BYTES));
    }
  }

  pause(): void {
    if (this.#reading !== 'on') return;
    this.#reading = 'paused';
    this.#socket.pause();
  }

  resume(): void {
    if (this.#reading !== 'paused') return;
    this.#reading = 'on';
    this.#silent = 0;
    this.#socket.resume();
  }

  /** Leaves; nothing is told any more. */
  end(how: 'close' | 'terminate'): void {
    if (this.#reading === 'ended') return;
    this.#stop();
    this.#socket.resume();
    if (how === 'close') this.#socket.close(1000);
    else this.#socket.terminate();
  }

  #stop(): void {
    this.#reading = 'ended';
    clearInterval(this.#timer);
  }

  #seen(): void {
    this.#silent = 0;
  }

  #beat(events: LinkEvents): void {
    if (this.#reading === 'on' && ++this.#silent > SILENT_HEARTBEATS) {
      this.#stop();
      this.#socket.terminate();
      events.close(1006, 'the server fell silent');
      return;
    }
    events.heartbeat();
    this.send({ type: 'ping' });
  }
}
