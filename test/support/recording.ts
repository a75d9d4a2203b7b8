// Recorded byte streams of agents (test/fixtures/recordings): a header line, then `[seconds, "o"|"i", base64]` lines, "o"
// from the program, "i" typed or replied. Always true: chunks come in file order and as they were read.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './byte-vector.js';

const folder = join(packageRoot(), 'test/fixtures/recordings');

export interface RecordedChunk {
  readonly atMs: number;
  readonly from: 'program' | 'operator';
  readonly bytes: Buffer;
}

export interface Recording {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly chunks: readonly RecordedChunk[];
}

/** Names without `.jsonl`, sorted. */
export function recordingNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => file.slice(0, -'.jsonl'.length))
    .sort();
}

export function readRecording(name: string): Recording {
  const [head, ...lines] = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  const { rows, cols } = JSON.parse(head as string) as { rows: number; cols: number };
  const chunks = lines.map((line) => {
    const [seconds, direction, data] = JSON.parse(line) as [number, 'o' | 'i', string];
    return {
      atMs: seconds * 1000,
      from: direction === 'o' ? ('program' as const) : ('operator' as const),
      bytes: Buffer.from(data, 'base64'),
    };
  });
  return { name, rows, cols, chunks };
}

/** Everything the program wrote, in one piece. */
export function programBytes(recording: Recording): Buffer {
  return Buffer.concat(
    recording.chunks.filter((chunk) => chunk.from === 'program').map((chunk) => chunk.bytes),
  );
}
