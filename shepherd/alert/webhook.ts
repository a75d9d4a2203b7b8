// Posts alerts to the configured webhook. Always true: by default nothing but cause, seat, age and a link leaves this machine;
// the address is a secret and appears in no error; one post at a time, a bounded number waits, and the oldest is dropped and
// counted when they are too many.
import type { Alert, TimeMs } from '../port.js';

export interface WebhookPort {
  /** Its address, read anew for each post, so that a file can be changed; undefined while there is none. */
  address(): string | undefined;
  post(url: string, body: string): Promise<{ readonly status: number }>;
  now(): TimeMs;
  after(ms: number, run: () => void): { cancel(): void };
  /** Where the web page of the seat is. */
  readonly link: string;
  /** For the log: what went wrong, without the address. */
  failed(error: unknown): void;
}

const WAITING = 256;
/** Waits between the attempts at one post. */
const AGAIN_MS = [1_000, 10_000, 60_000, 300_000];

/** What is posted. `text` is what chat services show. */
export function webhookBody(alert: Alert, link: string, now: TimeMs) {
  const { cause, seat, routine, sinceAt, cleared } = alert;
  const ageMs = Math.max(0, now - sinceAt);
  const url = seat === undefined ? link : `${link}#seat=${encodeURIComponent(seat)}`;
  const where = seat === undefined ? '' : `, seat ${seat}`;
  const state = cleared ? 'cleared' : 'raised';
  return {
    text: `openfloor: ${cause} ${state}${where}, for ${Math.round(ageMs / 1_000)} s: ${url}`,
    cause,
    state,
    seat: seat ?? null,
    routine: routine ?? null,
    since: new Date(sinceAt).toISOString(),
    age_ms: ageMs,
    link: url,
  };
}

export class Webhook {
  readonly #queue: Alert[] = [];
  #busy = false;
  #dropped = 0;
  #timer: { cancel(): void } | undefined;
  #stopped = false;

  constructor(private readonly port: WebhookPort) {}

  post(alert: Alert): void {
    if (this.#stopped || this.port.address() === undefined) return;
    this.#queue.push(alert);
    if (this.#queue.length > WAITING) {
      this.#queue.shift();
      this.#dropped++;
    }
    this.#next();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #next(): void {
    const alert = this.#queue[0];
    if (this.#busy || alert === undefined || this.#stopped) return;
    this.#busy = true;
    void this.#deliver(alert, 0);
  }

  async #deliver(alert: Alert, attempt: number): Promise<void> {
    const fault = await this.#attempt(alert);
    if (this.#stopped) return;
    const wait = AGAIN_MS[attempt];
    if (fault !== undefined && wait !== undefined) {
      this.#timer = this.port.after(wait, () => void this.#deliver(alert, attempt + 1));
      return;
    }
    if (fault !== undefined)
      this.port.failed(new Error(`the alert webhook ${fault}; the alert ${alert.cause} is given up`));
    if (this.#dropped > 0)
      this.port.failed(new Error(`${this.#dropped} alerts were not posted: too many waited`));
    this.#dropped = 0;
    const at = this.#queue.indexOf(alert);
    if (at >= 0) this.#queue.splice(at, 1);
    this.#busy = false;
    this.#next();
  }

  /** What went wrong, or undefined. */
  async #attempt(alert: Alert): Promise<string | undefined> {
    const { port } = this;
    try {
      const url = port.address();
      if (url === undefined) return undefined;
      const { status } = await port.post(url, JSON.stringify(webhookBody(alert, port.link, port.now())));
      return status >= 200 && status < 300 ? undefined : `answered ${status}`;
    } catch {
      // The error would quote the address.
      return 'did not answer';
    }
  }
}
