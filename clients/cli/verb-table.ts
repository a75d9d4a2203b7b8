// The verbs of the CLI: one line and one file each. Only the file of the verb that was asked for is loaded.
import type { DefineVerb } from './context.js';

export interface VerbEntry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly define: DefineVerb }>;
}

/** In the order of the help page: the everyday ones first. */
export const VERBS: Readonly<Record<string, VerbEntry>> = {
  run: { summary: 'start a command in a new seat and attach to it', load: () => import('./run.js') },
  attach: { summary: 'attach to a seat (leave with Ctrl-\\ d)', load: () => import('./attach.js') },
  status: {
    summary: 'what the agent in a seat does, and why it is thought so',
    load: () => import('./status.js'),
  },
  send: { summary: 'type a message into a seat when it is safe', load: () => import('./send.js') },
  answer: { summary: 'answer the permission dialog of a seat, once', load: () => import('./answer.js') },
  capture: { summary: 'the screen of a seat as text', load: () => import('./capture.js') },
  audit: { summary: 'what was typed, refused and changed, and by whom', load: () => import('./audit.js') },
  seat: { summary: 'settings, typing guard and held messages of a seat', load: () => import('./seat.js') },
  queue: { summary: 'rows of work that are addressed to seats', load: () => import('./queue.js') },
  routine: { summary: 'reminders and watches that speak by themselves', load: () => import('./routine.js') },
  agents: { summary: 'packs: what is known of each agent', load: () => import('./agents.js') },
  signal: { summary: 'inside a seat: report a status to the terminal', load: () => import('./signal.js') },
  hooks: { summary: 'how an agent or a shell reports its status', load: () => import('./hooks.js') },
  ls: { summary: 'list seats and what goes on in them', load: () => import('./ls.js') },
  kill: { summary: 'end a session and everything in it', load: () => import('./kill.js') },
  new: { summary: 'create a session without attaching', load: () => import('./new.js') },
  restart: { summary: 'start a session anew under its name', load: () => import('./restart.js') },
  renew: { summary: 'new attach token; every older one ends', load: () => import('./renew.js') },
  up: { summary: 'start the server here', load: () => import('./up.js') },
  down: { summary: 'end the background server and its sessions', load: () => import('./down.js') },
  shepherd: { summary: 'the outer layer alone, beside a runtime', load: () => import('./shepherd.js') },
  serve: { summary: 'the runtime alone, from a config file', load: () => import('./serve.js') },
  login: { summary: 'log a browser or this machine in', load: () => import('./login.js') },
  token: { summary: 'mint, list and revoke credentials', load: () => import('./token.js') },
  doctor: { summary: 'check this machine and the server', load: () => import('./doctor.js') },
  version: { summary: 'show the version', load: () => import('./version.js') },
};

/** Global options that take a value in the next word. */
const VALUED = new Set(['--url', '--profile', '--config', '--data']);

/** The verb of a command line, or undefined when its first word is none. */
export function findVerb(argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (VALUED.has(word)) at++;
    else if (!word.startsWith('-')) return Object.hasOwn(VERBS, word) ? word : undefined;
  }
  return undefined;
}
