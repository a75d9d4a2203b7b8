// What the demo agent tells its terminal about itself: OSC 7501 records or titles. Always true: only what differs from what
// was told before is told again; every record carries the app's name, and a report says all that its record has. The bytes
// are returned, not written.
import type { Dialog } from './dialog.js';
import type { Job, State } from './state.js';

export const APP = 'openfloor-demo';
/** Longest message of a report, in characters: the protocol allows 2048 bytes. */
const MESSAGE_CHARACTERS = 400;
/** A spinner in the title changes this often. */
const TITLE_MS = 960;

/** What was told last: bodies of records by id, the title. The root record has the id ''. */
export interface Told {
  readonly records: ReadonlyMap<string, string>;
  readonly title: string | undefined;
}

export const NOTHING_TOLD: Told = { records: new Map(), title: undefined };

const base64 = (text: string) => {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};
const osc = (body: string) => `\x1b]${body}\x1b\\`;

function blockedBody(dialog: Dialog): string {
  const kind = dialog.kind === 'trust' ? '' : ':kind=' + dialog.kind;
  const about = dialog.body === '' ? dialog.question : `${dialog.question} ${dialog.body}`;
  const message = about.replace(/[\0-\x1f\x7f-\x9f]/g, ' ').slice(0, MESSAGE_CHARACTERS);
  return `state=blocked${kind}:app=${APP}:msg=${base64(message)}`;
}

/** Body of the root record; undefined while there is nothing to report. */
export function rootRecord(state: State): string | undefined {
  const { front, turn, switches } = state;
  if (front.is === 'boot') return undefined;
  if (front.is === 'ended') return `state=clear:app=${APP}`;
  if (front.is === 'dialog' && !switches.dialogUnreported) return blockedBody(front.dialog);
  if (turn.is === 'working') return `state=working:app=${APP}`;
  return `state=${turn.done ? 'done' : 'idle'}:app=${APP}`;
}

const recordId = (job: Job) => `agent-${job.id}`;

/** The title, for a terminal that has no program status: a dialog looks like rest in it. */
export function titleOf(state: State): string {
  const { front, turn, switches, now } = state;
  if (front.is === 'ended') return '';
  if (switches.staticTitle || turn.is === 'rest' || front.is === 'dialog') return '✳ Demo agent';
  return `${Math.floor((now - turn.since) / TITLE_MS) % 2 === 0 ? '◐' : '◑'} Demo agent`;
}

/** The bytes that tell what has changed, and what is told then. */
export function announce(told: Told, state: State): { readonly told: Told; readonly bytes: string } {
  const { speech, front } = state;
  if (speech === 'asking' || speech === 'silent' || front.is === 'boot') return { told, bytes: '' };
  const plain = state.switches.staticTitle ? '✳ Demo agent' : front.is === 'ended' ? '' : 'Demo agent';
  const title = speech === 'titles' ? titleOf(state) : plain;
  const titled = title === told.title ? '' : osc(`0;${title}`);
  if (speech === 'titles') return { told: { ...told, title }, bytes: titled };

  const records = new Map<string, string>();
  if (front.is !== 'ended') {
    for (const job of state.jobs) {
      if (job.kind === 'agents') records.set(recordId(job), `state=working:app=${APP}:id=${recordId(job)}`);
    }
  }
  const root = rootRecord(state);
  if (root !== undefined) records.set('', root);
  let bytes = titled;
  // Children before the root: who reads `done` must already know of the work that goes on.
  for (const [id, body] of records) if (told.records.get(id) !== body) bytes += osc(`7501;${body}`);
  for (const id of told.records.keys()) {
    if (!records.has(id) && front.is !== 'ended') bytes += osc(`7501;state=clear:app=${APP}:id=${id}`);
  }
  return { told: { records, title }, bytes };
}
