// A growing byte array for snapshots. Always true: what was written is UTF-8 in the order of the calls; no strings are
// joined on the way (1000 rows of text are some 100 000 cells). It knows no escape sequences.

const FIRST_BYTES = 16_384;
const encoder = new TextEncoder();

export class ByteWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #used = 0;

  #room(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + bytes));
    grown.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = grown;
  }

  /** ASCII only: one byte a character. */
  ascii(text: string): void {
    this.#room(text.length);
    for (let i = 0; i < text.length; i++) this.#bytes[this.#used++] = text.charCodeAt(i);
  }

  text(text: string): void {
    this.#room(text.length * 3);
    this.#used += encoder.encodeInto(text, this.#bytes.subarray(this.#used)).written;
  }

  codePoint(code: number): void {
    this.#room(4);
    const bytes = this.#bytes;
    if (code < 0x80) {
      bytes[this.#used++] = code;
    } else if (code < 0x800) {
      bytes[this.#used++] = 0xc0 | (code >> 6);
      bytes[this.#used++] = 0x80 | (code & 0x3f);
    } else if (code < 0x10000) {
      bytes[this.#used++] = 0xe0 | (code >> 12);
      bytes[this.#used++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[this.#used++] = 0x80 | (code & 0x3f);
    } else {
      bytes[this.#used++] = 0xf0 | (code >> 18);
      bytes[this.#used++] = 0x80 | ((code >> 12) & 0x3f);
      bytes[this.#used++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[this.#used++] = 0x80 | (code & 0x3f);
    }
  }

  /** The bytes in an array of their own, exactly as long, so that it can be transferred. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#used);
  }
}
