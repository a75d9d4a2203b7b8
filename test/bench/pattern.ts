// A child whose output tells its own offset: 16-byte lines, each the number of the line. Argument: how many bytes to
// print (0: until the terminal is gone). The byte at any offset is known without having seen the bytes before it.
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

export const PATTERN_LINE_BYTES = 16;

export function patternLine(n: number): string {
  return `${String(n).padStart(PATTERN_LINE_BYTES - 1, '0')}\n`;
}

/** Whether `bytes` are what the child prints at `offset` (counted from its first pattern byte). */
export function isPattern(bytes: Uint8Array, offset: number): boolean {
  const first = Math.floor(offset / PATTERN_LINE_BYTES);
  const skip = offset % PATTERN_LINE_BYTES;
  const count = Math.ceil((skip + bytes.length) / PATTERN_LINE_BYTES);
  let text = '';
  for (let n = first; n < first + count; n++) text += patternLine(n);
  return Buffer.from(text, 'latin1')
    .subarray(skip, skip + bytes.length)
    .equals(bytes);
}

function print(limit: number): void {
  const linesAtOnce = 4096;
  for (let n = 0, printed = 0; limit === 0 || printed < limit; n += linesAtOnce) {
    let text = '';
    for (let k = n; k < n + linesAtOnce; k++) text += patternLine(k);
    let block = Buffer.from(text, 'latin1');
    if (limit > 0 && printed + block.length > limit) block = block.subarray(0, limit - printed);
    printed += block.length;
    for (let at = 0; at < block.length; ) at += writeSync(1, block, at);
  }
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) print(Number(argv[2] ?? 0));
