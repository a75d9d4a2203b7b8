// How a paste ends that an operator interrupts: what is under way is completed, the frame is closed, the rest is dropped.
// Pure bytes in, bytes out.

const OPEN = '\x1b[200~';
const CLOSE = new TextEncoder().encode('\x1b[201~');

/** Whether the bytes begin with the paste marker. */
function framed(bytes: Uint8Array): boolean {
  return (
    bytes.length >= OPEN.length + CLOSE.length &&
    OPEN === String.fromCharCode(...bytes.subarray(0, OPEN.length))
  );
}

/** The next offset from `at` that doesn't cut a UTF-8 code point in two. */
function codePointEnd(bytes: Uint8Array, at: number, limit: number): number {
  let end = at;
  while (end < limit && ((bytes[end] ?? 0) & 0xc0) === 0x80) end++;
  return end;
}

/** What is written in all, given that `written` of the bytes have been: at least those, at most the bytes. */
export function cutGrant(bytes: Uint8Array, written: number): Uint8Array {
  if (!framed(bytes)) return bytes.subarray(0, codePointEnd(bytes, written, bytes.length));
  const body = bytes.length - CLOSE.length;
  // Inside the closing marker everything has been written but its rest.
  if (written >= body) return bytes;
  const end = written < OPEN.length ? OPEN.length : codePointEnd(bytes, written, body);
  const cut = new Uint8Array(end + CLOSE.length);
  cut.set(bytes.subarray(0, end));
  cut.set(CLOSE, end);
  return cut;
}
