// The bytes of one unfinished sequence, gathered over chunks. Always true: the buffer only grows to what was asked of
// it, and its caller keeps that bounded; a view of it is valid until the next append.

/** First size: nearly all split sequences fit. */
const FIRST_BYTES = 256;

export class SplitBuffer {
  #bytes = new Uint8Array(0);
  length = 0;

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  append(part: Uint8Array): void {
    const length = this.length + part.length;
    if (length > this.#bytes.length) {
      let size = FIRST_BYTES;
      while (size < length) size *= 2;
      const grown = new Uint8Array(size);
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    this.#bytes.set(part, this.length);
    this.length = length;
  }

  /** The `count` bytes that end `skip` bytes before the end. */
  tail(count: number, skip = 0): Uint8Array {
    const end = this.length - skip;
    return this.#bytes.subarray(end - count, end);
  }
}
