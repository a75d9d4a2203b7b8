// Replays recordings of one agent through the scanner and the status machine with its pack, as if the agent stood in the
// foreground throughout. Always true: sequences come with the time of the read that completed them, whatever the cuts.
import { builtinPackFolder, loadPacks, type Pack } from '../../runtime/agents/load.js';
import { deriveStatus } from '../../runtime/status/derive.js';
import { foldStatus } from '../../runtime/status/fold.js';
import { initialStatus, type StatusState } from '../../runtime/status/state.js';
import type { Front, StatusChange, StatusEvent } from '../../runtime/status/status.js';
import { createOutputScanner } from '../../runtime/terminal/scanner.js';
import { type RecordedChunk, readRecording, recordingNames } from './recording.js';

export const PHASES: readonly string[] = [
  'startup',
  'draft',
  'draft-delete',
  'draft-multiline',
  'draft-pasted',
  'submit',
  'submit-part1',
  'submit-part2',
  'dialog',
  'dialog-answer',
  'dialog-answer-part1',
  'dialog-answer-part2',
  'interrupt',
  'ctrlc',
  'exit',
];

/** The chunks of every phase of one agent in the order in which they were recorded; `agent` as in the file names. */
export function agentChunks(agent: string): readonly RecordedChunk[] {
  const names = recordingNames();
  return PHASES.map((phase) => `${agent}-${phase}`)
    .filter((name) => names.includes(name))
    .flatMap((name) => readRecording(name).chunks);
}

export function builtinPack(name: string): Pack {
  const pack = loadPacks([builtinPackFolder()]).packs.find((candidate) => candidate.name === name);
  if (pack === undefined) throw new Error(`no pack ${name}`);
  return pack;
}

/** A status as a short text: `idle?` needs the composer, `idle!` is done. */
export function shortStatus(state: StatusState): string {
  const { state: name, kind, cause, done, needsComposer, source } = deriveStatus(state);
  const mark = name === 'idle' ? (done ? '!' : needsComposer ? '?' : '') : '';
  const more = kind ?? cause;
  return `${name}${mark}${more ? `:${more}` : ''} ${source}`;
}

function keyEvent(bytes: Buffer, at: number): StatusEvent | undefined {
  const text = bytes.toString('latin1');
  if (text === '\r') return { type: 'enter', at };
  if (text === '\x03') return { type: 'interrupt', key: 'ctrl_c', at };
  return text === '\x1b' || text === '\x1b\x1b' ? { type: 'interrupt', key: 'escape', at } : undefined;
}

export interface Replayed {
  readonly state: StatusState;
  /** The status after every change of it, beginning with the fresh tenure. */
  readonly statuses: readonly string[];
  readonly changes: readonly StatusChange[];
}

/** Replays chunks; `cut` says how each read is divided. */
export function replay(
  pack: Pack,
  chunks: readonly RecordedChunk[],
  { cut = (bytes: Buffer) => [bytes], front = 'tenure' as Front } = {},
): Replayed {
  const started: StatusEvent = {
    type: 'tenure_started',
    at: 0,
    offset: 0,
    tenure: { pid: 2, startTime: '1', exe: '/usr/bin/agent' },
    pack,
  };
  let state = foldStatus(initialStatus(0), started).state;
  let at = 0;
  const statuses = [shortStatus(state)];
  const changes: StatusChange[] = [];
  const fold = (event: StatusEvent) => {
    const next = foldStatus(state, event);
    state = next.state;
    changes.push(...next.changes);
    if (next.changes.some((change) => change.type === 'status')) statuses.push(shortStatus(state));
  };
  const scanner = createOutputScanner({
    pass() {},
    reply() {},
    osc(code, body) {
      fold({ type: 'sequence', front, sequence: { code, body, offset: scanner.offset, at } });
    },
    modesChanged() {},
    bell() {},
    reset() {
      fold({ type: 'reset', at, offset: scanner.offset, front });
    },
  });
  for (const chunk of chunks) {
    at = chunk.atMs;
    if (chunk.from === 'program') for (const part of cut(chunk.bytes)) scanner.push(part);
    else {
      const event = keyEvent(chunk.bytes, at);
      if (event !== undefined) fold(event);
    }
  }
  return { state, statuses, changes };
}
