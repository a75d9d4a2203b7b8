// Pack rules: data that says what a complete sequence or a hook event means for one agent. Always true: the first rule
// that matches decides, and matching looks at whole decoded text only, never at a pattern language, so that no text can
// make it slow. Field names are those of the pack files. It knows no channel and keeps no state.
import type { Notification } from './notify.js';
import type { ProgressState } from './progress.js';
import type { PromptMark } from './prompt-mark.js';
import { versionInRange } from './version.js';

/**
 * What a signal says. `idle_or_blocked`: at rest or in a dialog, the sequence doesn't tell. `unknown`: the agent says
 * nothing any more. `turn`: a turn has ended; the status stays what the levels say.
 */
export const MEANS = ['idle', 'working', 'blocked', 'idle_or_blocked', 'unknown', 'turn'] as const;
export type Means = (typeof MEANS)[number];

export const BLOCKED_KINDS = ['permission', 'question', 'trust', 'auth', 'picker', 'error'] as const;
export type BlockedKind = (typeof BLOCKED_KINDS)[number];

/** Work that goes on while the agent is at rest. */
export const BACKGROUNDS = ['agents', 'shell'] as const;
export type Background = (typeof BACKGROUNDS)[number];

/** One field that is set must match; of its list one entry is enough. No field set: any text but the empty one. */
export interface TextMatch {
  readonly equals?: readonly string[];
  readonly starts_with?: readonly string[];
  readonly contains?: readonly string[];
  /** First and last of a range of characters: the text begins with one of it, followed by a blank or nothing. */
  readonly first_between?: readonly [string, string];
}

interface RuleBase {
  readonly id: string;
  readonly means: Means;
  readonly kind?: BlockedKind;
  /** The signal repeats while it holds; without a repetition for this long it says nothing. */
  readonly stale_ms?: number;
  /** Background work that the same signal reports; absent means none. */
  readonly background?: Background;
  readonly versions: string;
  /** File of the recording that the rule was taken from, or how it is known. */
  readonly recording: string;
}

export interface TitleRule extends RuleBase {
  readonly on: 'title';
  readonly text?: TextMatch;
}
export interface ProgressRule extends RuleBase {
  readonly on: 'progress';
  readonly states: readonly ProgressState[];
}
export interface NotifyRule extends RuleBase {
  readonly on: 'notify';
  readonly heading?: TextMatch;
  readonly text?: TextMatch;
}
export interface PromptRule extends RuleBase {
  readonly on: 'prompt';
  readonly marks: readonly Exclude<PromptMark['type'], 'refused'>[];
}
export type SequenceRule = TitleRule | ProgressRule | NotifyRule | PromptRule;

export interface HookRule extends RuleBase {
  /** Name of the agent's hook event. */
  readonly event: string;
  /** Text fields of the event and their accepted values. */
  readonly where?: Readonly<Record<string, readonly string[]>>;
  /** Fields that must be there and not empty. */
  readonly has?: readonly string[];
}

/** What a sequence carried, decoded. */
export type Observed =
  | { readonly on: 'title'; readonly text: string }
  | { readonly on: 'progress'; readonly state: ProgressState }
  | { readonly on: 'notify'; readonly notification: Notification }
  | { readonly on: 'prompt'; readonly mark: PromptMark['type'] };

export interface HookEvent {
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One rule that was tried, for `--explain`. */
export interface Tried {
  readonly rule: string;
  readonly means: Means;
  readonly result: 'matched' | 'other_text' | 'other_concept' | 'other_version' | 'not_reached';
}

export function matchText(match: TextMatch | undefined, text: string): boolean {
  if (match === undefined) return text !== '';
  const { equals, starts_with, contains, first_between } = match;
  if (equals && !equals.includes(text)) return false;
  if (starts_with && !starts_with.some((start) => text.startsWith(start))) return false;
  if (contains && !contains.some((part) => text.includes(part))) return false;
  if (first_between) {
    const [first = '', second = ' '] = text;
    const point = first.codePointAt(0) ?? -1;
    const [from, to] = first_between;
    if (point < (from.codePointAt(0) ?? 0) || point > (to.codePointAt(0) ?? 0) || second !== ' ')
      return false;
  }
  return equals || starts_with || contains || first_between ? true : text !== '';
}

function matchesSequence(rule: SequenceRule, seen: Observed): boolean {
  switch (rule.on) {
    case 'title':
      return seen.on === 'title' && matchText(rule.text, seen.text);
    case 'progress':
      return seen.on === 'progress' && rule.states.includes(seen.state);
    case 'notify':
      return (
        seen.on === 'notify' &&
        (rule.heading === undefined || matchText(rule.heading, seen.notification.title)) &&
        (rule.text === undefined || matchText(rule.text, seen.notification.body))
      );
    case 'prompt':
      return seen.on === 'prompt' && rule.marks.some((mark) => mark === seen.mark);
  }
}

function isPresent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '' && value !== false && value !== 0;
}

function matchesHook(rule: HookRule, hook: HookEvent): boolean {
  const { where = {}, has = [] } = rule;
  if (rule.event !== hook.event) return false;
  if (!has.every((field) => Object.hasOwn(hook.fields, field) && isPresent(hook.fields[field]))) return false;
  return Object.entries(where).every(([field, accepted]) => {
    const value = Object.hasOwn(hook.fields, field) ? hook.fields[field] : undefined;
    return typeof value === 'string' && accepted.includes(value);
  });
}

/** The first rule that matches what was observed, for an agent of this version. */
export function findRule(
  rules: readonly SequenceRule[],
  seen: Observed,
  version: string | undefined,
): SequenceRule | undefined {
  return rules.find((rule) => versionInRange(rule.versions, version) && matchesSequence(rule, seen));
}

/** The first hook rule that matches an event. */
export function findHookRule(
  rules: readonly HookRule[],
  hook: HookEvent,
  version: string | undefined,
): HookRule | undefined {
  return rules.find((rule) => versionInRange(rule.versions, version) && matchesHook(rule, hook));
}

/** Every rule in order and what became of it. */
export function tryRules(
  rules: readonly (SequenceRule | HookRule)[],
  seen: Observed | HookEvent,
  version: string | undefined,
): readonly Tried[] {
  let found = false;
  return rules.map((rule): Tried => {
    const tried = { rule: rule.id, means: rule.means };
    if (found) return { ...tried, result: 'not_reached' };
    if (!versionInRange(rule.versions, version)) return { ...tried, result: 'other_version' };
    if ('on' in rule && 'on' in seen) {
      if (rule.on !== seen.on) return { ...tried, result: 'other_concept' };
      found = matchesSequence(rule, seen);
    } else if ('event' in rule && 'event' in seen) {
      if (rule.event !== seen.event) return { ...tried, result: 'other_concept' };
      found = matchesHook(rule, seen);
    } else return { ...tried, result: 'other_concept' };
    return { ...tried, result: found ? 'matched' : 'other_text' };
  });
}
