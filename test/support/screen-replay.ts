// Replays recorded agents through the screen model and reads the screen: what a client of the composer room would be told.
// Always true: the phases of one agent run on one screen, in the order in which they were recorded.
import { readingPackOf } from '../../runtime/agents/reading.js';
import { type Plan, planOf } from '../../runtime/composer/plan.js';
import type { ScreenReading } from '../../runtime/composer/read.js';
import { Emulator } from '../../runtime/screen/emulator.js';
import { readScreen } from '../../runtime/screen/read.js';
import { readRecording, recordingNames } from './recording.js';
import { builtinPack, PHASES } from './replay.js';
import { shortComposer } from './short-reading.js';

/** A screen that lasts so long is one that was published. */
export const SETTLED_MS = 20;

export interface Seen {
  readonly phase: string;
  readonly atMs: number;
  readonly reading: ScreenReading;
  /** The screen stayed like this for SETTLED_MS at least. */
  readonly settled: boolean;
}

export type Step = Seen | { readonly phase: string; readonly keys: string };

export function planFor(pack: string): Plan {
  return planOf(readingPackOf(builtinPack(pack)));
}

/** Every key and every reading of an agent's recordings; `cutBytes` reads inside a chunk too. */
export function* replayScreens(
  agent: string,
  plan: Plan,
  cutBytes = Number.POSITIVE_INFINITY,
): Generator<Step> {
  const emulator = new Emulator({ rows: 30, cols: 100, scrollbackLines: 1000 });
  const names = recordingNames();
  for (const phase of PHASES) {
    const name = `${agent}-${phase}`;
    if (!names.includes(name)) continue;
    const { chunks } = readRecording(name);
    for (const [index, chunk] of chunks.entries()) {
      if (chunk.from === 'operator') {
        yield { phase, keys: chunk.bytes.toString('utf8') };
        continue;
      }
      const { bytes, atMs } = chunk;
      const next = chunks[index + 1]?.atMs ?? Number.POSITIVE_INFINITY;
      for (let from = 0; from < bytes.length; from += cutBytes) {
        emulator.parse(new Uint8Array(bytes.subarray(from, from + cutBytes)));
        const reading = readScreen(emulator, 0, plan);
        const last = from + cutBytes >= bytes.length;
        yield { phase, atMs, reading, settled: last && next - atMs >= SETTLED_MS };
      }
    }
  }
  emulator.dispose();
}

/** `draft`, `empty`, `working`, `dialog ID` or `unknown cause`; drafts are told apart elsewhere. */
export function shortState({ composer, dialog, working }: ScreenReading): string {
  if (dialog !== undefined) return `dialog ${dialog.id}`;
  const short = composer.kind === 'draft' ? 'draft' : shortComposer(composer).split(' | ')[0];
  return working === undefined ? short! : `${short} working`;
}
