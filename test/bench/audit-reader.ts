// The readers of the audit feed, in a process of their own: each follows from its cursor, checks that every record is the
// next one, and resumes where it stands when it is closed for being behind.
import { WebSocket } from 'ws';
import { decodeFrame } from '../../protocol/codec.js';
import { AUDIT_PROTOCOL } from '../../protocol/plane.js';

interface Start {
  readonly url: string;
  readonly credential: string;
  readonly count: number;
}

class Reader {
  after = 0;
  disorders = 0;
  resumed = 0;
  #over = false;
  onRecord = () => {};

  constructor(readonly start: Start) {}

  open(): void {
    const { url, credential } = this.start;
    const socket = new WebSocket(`${url.replace('http', 'ws')}/audit?after=${this.after}`, AUDIT_PROTOCOL, {
      headers: { authorization: `Bearer ${credential}` },
      perMessageDeflate: false,
    });
    socket.on('message', (data: Buffer) => {
      const decoded = decodeFrame(data);
      const seq = decoded.ok ? Number(decoded.value.seq) : Number.NaN;
      if (seq !== this.after + 1) this.disorders++;
      this.after = seq;
      this.onRecord();
    });
    socket.on('error', () => {}); // told by `close`
    socket.on('close', () => {
      if (this.#over) return;
      this.resumed++;
      this.open();
    });
  }

  /** Resolves once it has this record. */
  reached(seq: number): Promise<void> {
    return new Promise((resolve) => {
      this.onRecord = () => {
        if (this.after >= seq) resolve();
      };
      this.onRecord();
    });
  }
}

let readers: Reader[] = [];
let start: Start | undefined;

async function head(): Promise<number> {
  const answer = await fetch(`${start?.url}/api/audit?limit=1`, {
    headers: { authorization: `Bearer ${start?.credential}` },
  });
  return ((await answer.json()) as { head: number }).head;
}

async function follow(given: Start): Promise<void> {
  start = given;
  readers = Array.from({ length: given.count }, () => new Reader(given));
  for (const reader of readers) reader.after = 0;
  const from = await head();
  for (const reader of readers) {
    reader.after = from;
    reader.open();
  }
  process.send?.('following');
}

async function untilHead(): Promise<void> {
  const seq = await head();
  await Promise.all(readers.map((reader) => reader.reached(seq)));
  const sum = (pick: (reader: Reader) => number) =>
    readers.reduce((total, reader) => total + pick(reader), 0);
  process.send?.({
    complete: readers.filter((reader) => reader.after === seq && reader.disorders === 0).length,
    disorders: sum(({ disorders }) => disorders),
    resumed: sum(({ resumed }) => resumed),
  });
}

process.on('message', (message: Start | { until: 'head' }) => {
  void ('until' in message ? untilHead() : follow(message));
});
process.on('disconnect', () => process.exit(0));
