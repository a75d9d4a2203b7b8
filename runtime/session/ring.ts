// The last bytes of a session's output, addressed by absolute offsets that never restart within one leader. Always true:
// start <= end, and slice(start, end) is exactly what was written last. It grows by doubling, so that a quiet session
// stays small. It knows no client.

const FIRST_BYTES = 16_384;
/** Held for clients that are live even where nothing is retained for later. */
const LIVE_BYTES = 262_144;

export class Ring {
  #buffer: Uint8Array;
  #end = 0;

  readonly #roomBytes: number;

  /** `capacityBytes` is what a replay may go back; 0: nothing. */
  constructor(readonly capacityBytes: number) {
    this.#roomBytes = Math.max(capacityBytes, LIVE_BYTES);
    this.#buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  }

  /** Offset after the last byte ever written. */
  get end(): number {
    return this.#end;
  }

  /** Offset of the oldest byte still held, for who reads live. */
  get start(): number {
    return Math.max(0, this.#end - this.#buffer.length);
  }

  /** Offset of the oldest byte that a replay may begin with. */
  get replayStart(): number {
    return Math.max(this.start, this.#end - this.capacityBytes);
  }

  write(bytes: Uint8Array): void {
    if (this.#buffer.length < this.#roomBytes && this.#end + bytes.length > this.#buffer.length) {
      this.#grow(this.#end + bytes.length);
    }
    const size = this.#buffer.length;
    const kept = bytes.length > size ? bytes.subarray(bytes.length - size) : bytes;
    const to = this.#end + bytes.length;
    if (size > 0) {
      const at = (to - kept.length) % size;
      const head = Math.min(kept.length, size - at);
      this.#buffer.set(kept.subarray(0, head), at);
      if (head < kept.length) this.#buffer.set(kept.subarray(head), 0);
    }
    this.#end = to;
  }

  /** A copy of the bytes from..to; both must lie within start..end. */
  slice(from: number, to: number): Buffer {
    if (from < this.start || to > this.#end || from > to)
      throw new RangeError(`ring holds no ${from}..${to}`);
    const copy = Buffer.allocUnsafe(to - from);
    const size = this.#buffer.length;
    if (to > from) {
      const at = from % size;
      const head = Math.min(copy.length, size - at);
      copy.set(this.#buffer.subarray(at, at + head), 0);
      if (head < copy.length) copy.set(this.#buffer.subarray(0, copy.length - head), head);
    }
    return copy;
  }

  /** Nothing has wrapped yet while the ring may grow, so offsets equal positions and one copy moves them. */
  #grow(needed: number): void {
    let size = Math.max(FIRST_BYTES, this.#buffer.length);
    while (size < needed && size < this.#roomBytes) size *= 2;
    const grown = Buffer.allocUnsafeSlow(Math.min(size, this.#roomBytes));
    grown.set(this.#buffer.subarray(0, this.#end), 0);
    this.#buffer = grown;
  }
}

/** What a client gets for `since` (attach contract 1.6): where its replay starts and how much it lost. */
export interface ReplayPlan {
  readonly from: number;
  /** Undefined: contiguous. 0: the offset was none of this leader's; everything held follows. */
  readonly gapBytes: number | undefined;
}

/** `since` undefined: no replay, live from the end, unless `replayAll` asks for everything that is held. */
export function planReplay(
  ring: Pick<Ring, 'replayStart' | 'end' | 'capacityBytes'>,
  since: bigint | undefined,
  replayAll: boolean,
): ReplayPlan {
  const { replayStart: start, end } = ring;
  if (since === undefined) {
    if (!replayAll || ring.capacityBytes === 0) return { from: end, gapBytes: undefined };
    since = 0n;
  }
  if (ring.capacityBytes === 0) {
    return { from: end, gapBytes: since > BigInt(end) ? 0 : end - Number(since) };
  }
  if (since > BigInt(end)) return { from: start, gapBytes: 0 };
  const wanted = Number(since);
  return wanted < start ? { from: start, gapBytes: start - wanted } : { from: wanted, gapBytes: undefined };
}
