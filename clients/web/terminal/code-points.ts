// Feeds a terminal whole code points: xterm 6 loses one that is cut after two of its bytes. Always true: bytes come out in
// order and unchanged, at most three are held back, and what can't become a code point never is.

/** Bytes at the end that begin a code point whose rest is missing: 0 to 3. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf8 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? back : 0;
  }
  return 0;
}

export class CodePoints {
  #rest: Uint8Array = new Uint8Array(0);

  /** What can be written now: these bytes behind what was held back, without an unfinished end. */
  take(bytes: Uint8Array): Uint8Array {
    let whole = bytes;
    if (this.#rest.length > 0) {
      whole = new Uint8Array(this.#rest.length + bytes.length);
      whole.set(this.#rest);
      whole.set(bytes, this.#rest.length);
    }
    const back = unfinished(whole);
    this.#rest = whole.slice(whole.length - back);
    return back === 0 ? whole : whole.subarray(0, whole.length - back);
  }

  /** The stream begins anew. */
  reset(): void {
    this.#rest = new Uint8Array(0);
  }
}
