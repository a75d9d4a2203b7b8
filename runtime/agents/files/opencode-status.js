// Openfloor's plugin for opencode: writes the session's state to the controlling terminal as OSC 7501. Always true: it
// changes nothing, asks nothing and never throws into opencode; without a terminal it does nothing.
import { openSync, writeSync } from 'node:fs';

/** Ids of root sessions at work, of subagents at work, and of questions that wait, by id. */
const working = new Set();
const children = new Set();
const asked = new Map();
const parents = new Map();
let terminal;
let rest = 'idle';
let last = '';

function write(body) {
  try {
    writeSync(terminal, `\x1b]7501;${body}\x1b\\`);
  } catch {}
}

function report() {
  const question = [...asked.values()].at(-1);
  const state = question
    ? `state=blocked:kind=${question.kind}`
    : working.size > 0
      ? 'state=working'
      : `state=${rest}`;
  const body = `${state}:app=opencode`;
  if (body !== last) write(body);
  last = body;
}

function reportChild(id, busy) {
  if (busy === children.has(id)) return;
  if (busy) children.add(id);
  else children.delete(id);
  const name = id.replace(/[^A-Za-z0-9_.+-]/g, '').slice(0, 32);
  if (name !== '') write(`state=${busy ? 'working' : 'clear'}:app=opencode:id=${name}`);
}

function setBusy(id, busy) {
  if (parents.get(id)) return reportChild(id, busy);
  if (busy) working.add(id);
  else if (working.delete(id) && rest !== 'aborted') rest = 'done';
  if (rest === 'aborted') rest = 'idle';
  if (!busy) for (const [key, question] of asked) if (question.session === id) asked.delete(key);
}

function see(type, properties) {
  const session = properties.sessionID;
  switch (type) {
    case 'session.created':
    case 'session.updated':
      if (properties.info?.parentID) parents.set(properties.info.id, properties.info.parentID);
      return;
    case 'session.status':
      return setBusy(session, properties.status?.type !== 'idle');
    case 'session.idle':
      return setBusy(session, false);
    case 'session.error':
      if (properties.error?.name === 'MessageAbortedError') rest = 'aborted';
      return;
    case 'permission.asked':
    case 'question.asked':
      asked.set(properties.id, { session, kind: type === 'question.asked' ? 'question' : 'permission' });
      return;
    case 'permission.replied':
    case 'question.replied':
    case 'question.rejected':
      asked.delete(properties.requestID ?? properties.permissionID ?? properties.id);
  }
}

export const OpenfloorStatus = async () => {
  try {
    terminal = openSync('/dev/tty', 'w');
  } catch {
    return {};
  }
  process.on('exit', () => write('state=clear'));
  report();
  return {
    event: async ({ event }) => {
      try {
        see(event.type, event.properties ?? {});
        report();
      } catch {}
    },
  };
};
