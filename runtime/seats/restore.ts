// The restore packet of a rebuild: what a new occupant is told of the one before it, from named files and the departing
// screen. Always true: a file that can't be read whole within its bound refuses the rebuild, none is shortened; control
// characters never reach a terminal; the packet says where each part comes from. It reads files and writes none.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ArtifactRef } from '../../protocol/handover.js';
import { SeatError } from './seat-error.js';

export interface Artifact extends ArtifactRef {
  readonly text: string;
}

/** An agent reads what it is given at once: more than this is a file to be named, not to be typed. */
export const ARTIFACT_BYTES = 65_536;
export const ARTIFACTS_BYTES = 262_144;

async function readArtifact(path: string): Promise<Artifact> {
  const refuse = (why: string) =>
    new SeatError('artifact_unreadable', `The artifact ${JSON.stringify(path)} ${why}.`);
  let bytes: Buffer;
  try {
    const file = await open(path, 'r');
    try {
      const stat = await file.stat();
      if (!stat.isFile()) throw refuse('is no file');
      if (stat.size > ARTIFACT_BYTES) throw refuse(`is larger than ${ARTIFACT_BYTES} bytes`);
      bytes = Buffer.alloc(ARTIFACT_BYTES + 1);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      bytes = bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof SeatError) throw error;
    throw refuse(`can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
  if (bytes.length > ARTIFACT_BYTES) throw refuse(`is larger than ${ARTIFACT_BYTES} bytes`);
  const text = bytes.toString('utf8');
  if (Buffer.compare(Buffer.from(text, 'utf8'), bytes) !== 0) throw refuse('is no UTF-8 text');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, sha256, bytes: bytes.length, text };
}

/** Reads them all, in order; relative paths are below `folder`. Throws SeatError. */
export async function readArtifacts(paths: readonly string[], folder: string): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  for (const path of paths) artifacts.push(await readArtifact(resolve(folder, path)));
  const bytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0);
  if (bytes > ARTIFACTS_BYTES)
    throw new SeatError(
      'artifact_unreadable',
      `The artifacts are larger than ${ARTIFACTS_BYTES} bytes together.`,
    );
  return artifacts;
}

export interface RestoreFacts {
  readonly seat: string;
  readonly predecessor: string;
  readonly reason: string;
  readonly at: string;
  readonly artifacts: readonly Artifact[];
  /** Rows of the departing screen. */
  readonly screen: readonly string[];
}

/** Everything but newline and tab that a terminal could act on. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const clean = (text: string) => text.replace(/\r\n?/g, '\n').replace(CONTROLS, '\ufffd');

/** The text that is typed to the candidate. */
export function restorePacket(facts: RestoreFacts): string {
  const { seat, predecessor, reason, at, artifacts, screen } = facts;
  const rows = screen.map((row) => clean(row).trimEnd());
  while (rows.length > 0 && rows[rows.length - 1] === '') rows.pop();
  const parts = [
    `You take over the seat ${seat} from ${predecessor}, which is leaving. Reason: ${clean(reason)}. Time: ${at}.`,
    'What follows is its working state; read it, then go on with its work.',
    ...artifacts.map(
      ({ path, sha256, text }) => `--- artifact ${clean(path)} (sha256 ${sha256})\n${clean(text).trimEnd()}`,
    ),
    rows.length > 0
      ? `--- last screen of ${predecessor}\n${rows.join('\n')}`
      : `--- last screen of ${predecessor}: no capture available`,
  ];
  return parts.join('\n');
}
