// How a candidate is started from what the seat was started with, and what a command line says of its conversation. Always
// true: arguments that choose a conversation are taken out before others are put in, so none is resumed by accident; what a
// pack doesn't offer is undefined. Pure: ids are arguments.
import type { Pack } from '../agents/load.js';
import type { CreationMode } from './handover.js';

export type Conversation = NonNullable<Pack['conversation']>;
export type Argv = readonly [string, ...string[]];

const ID = /\{(?:id|new_id)\}/;

/** Where the arguments of a pattern stand in a command line, and the id among them. */
function findPattern(argv: readonly string[], pattern: readonly string[]) {
  for (let at = 1; at + pattern.length <= argv.length; at++) {
    const words = argv.slice(at, at + pattern.length);
    if (!pattern.every((wanted, i) => ID.test(wanted) || wanted === words[i])) continue;
    const id = words[pattern.findIndex((wanted) => ID.test(wanted))];
    return { at, length: pattern.length, id };
  }
  return undefined;
}

/** Longest first: `--resume ID --fork-session` is a fork and not a resume with a word behind it. */
function patternsOf(conversation: Conversation) {
  const { fork, resume, start } = conversation;
  return [
    { mode: 'fork', pattern: fork },
    { mode: 'resume', pattern: resume },
    { mode: 'start', pattern: start },
  ] as const;
}

/** The conversation that this command line begins or goes on with; a fork gets an id of its own that nobody knows yet. */
export function conversationIn(argv: readonly string[], conversation: Conversation | undefined) {
  if (conversation === undefined) return undefined;
  for (const { mode, pattern } of patternsOf(conversation)) {
    const found = pattern && findPattern(argv, pattern);
    if (found) return mode === 'fork' ? undefined : found.id;
  }
  return undefined;
}

/** The command line without the arguments that choose a conversation. */
export function withoutConversation(argv: Argv, conversation: Conversation | undefined): Argv {
  if (conversation === undefined) return argv;
  let left = [...argv];
  for (const { pattern } of patternsOf(conversation)) {
    const found = pattern && findPattern(left, pattern);
    if (found) left = [...left.slice(0, found.at), ...left.slice(found.at + found.length)];
  }
  return left as unknown as Argv;
}

export interface StartWish {
  readonly mode: CreationMode;
  /** Conversation to resume or fork. */
  readonly id: string | undefined;
  /** A UUID for a conversation that begins. */
  readonly newId: string;
  readonly model: string | undefined;
  readonly effort: string | undefined;
}

export type StartPlan =
  | {
      readonly kind: 'start';
      /** What is run now, and what a restart of the seat runs. */
      readonly command: Argv;
      readonly base: Argv;
      /** The conversation's id where it is known beforehand. */
      readonly conversation: string | undefined;
    }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'unknown_conversation' };

const fill = (pattern: readonly string[] | undefined, name: string, value: string | undefined): string[] =>
  pattern === undefined || value === undefined
    ? []
    : pattern.map((word) => word.replaceAll(`{${name}}`, value));

/** The command line of a candidate. */
export function planStart(command: Argv, pack: Pick<Pack, 'conversation'>, wish: StartWish): StartPlan {
  const { conversation } = pack;
  const { mode, id, newId, model, effort } = wish;
  const base = withoutConversation(command, conversation);
  const settings = [
    ...fill(conversation?.model, 'value', model),
    ...fill(conversation?.effort, 'value', effort),
  ];
  if (mode === 'fresh' || mode === 'rebuild') {
    const start = fill(conversation?.start, 'new_id', newId);
    const known = start.length > 0 ? newId : undefined;
    return { kind: 'start', base, command: [...base, ...settings, ...start], conversation: known };
  }
  const pattern = mode === 'resume' ? conversation?.resume : conversation?.fork;
  if (pattern === undefined) return { kind: 'unsupported' };
  if (id === undefined) return { kind: 'unknown_conversation' };
  const args = fill(fill(pattern, 'id', id), 'new_id', newId);
  const named = pattern.some((word) => word.includes('{new_id}'));
  return {
    kind: 'start',
    base,
    command: [...base, ...settings, ...args],
    conversation: mode === 'resume' ? id : named ? newId : undefined,
  };
}
