// What an agent's hook tells of a permission request: the tool's name, who asked, and the rules that the agent suggests to
// save (spec/permissions.md). Always true: an entry is kept whole and exactly as it came, or not at all; arguments, paths of
// files and the provider's words are never in it. The relay and the runtime both read events with this.
import Type, { type Static } from 'typebox';
import {
  PERMISSION_AGENT_ID_UNITS,
  PERMISSION_CONTENT_UNITS,
  PERMISSION_ENTRIES,
  PERMISSION_EVIDENCE_BYTES,
  PERMISSION_RULES,
  PERMISSION_TOOL_UNITS,
} from './limit.js';

const TYPES = ['addRules', 'replaceRules', 'removeRules'] as const;

const Rule = Type.Object(
  {
    toolName: Type.String({ minLength: 1, maxLength: PERMISSION_TOOL_UNITS }),
    /** Absent is not the same as empty. */
    ruleContent: Type.Optional(Type.String({ maxLength: PERMISSION_CONTENT_UNITS })),
  },
  { additionalProperties: false },
);

const Entry = Type.Object(
  {
    type: Type.Enum(TYPES),
    rules: Type.Array(Rule, { maxItems: PERMISSION_RULES }),
    behavior: Type.String(),
    destination: Type.String(),
  },
  { additionalProperties: false },
);
export type SuggestedEntry = Static<typeof Entry>;

/**
 * `absent`: the agent named none. `unavailable`: nobody could tell, which proves nothing. `unsupported`: entries of another
 * kind were withheld. `sizeCut`: whole entries were over a limit and dropped.
 */
export const SuggestedRules = Type.Object(
  {
    state: Type.Enum(['absent', 'present', 'unavailable'] as const),
    entries: Type.Array(Entry, { maxItems: PERMISSION_ENTRIES }),
    unsupported: Type.Boolean(),
    sizeCut: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type SuggestedRules = Static<typeof SuggestedRules>;

/** What the relay posts beside the event. `agent_id` null or absent is the main agent. */
export const PermissionPost = Type.Object(
  {
    tool: Type.String(),
    agent_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    /** When the hook ran, ISO 8601 in UTC, as the relay's clock says. */
    source_at: Type.Optional(Type.String({ maxLength: 32 })),
    /** In the shape of SuggestedRules; anything else reads as unavailable. */
    suggested_rules: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);
export type PermissionPost = Static<typeof PermissionPost>;

/** The permission part of a seat's status. */
export const PermissionStop = Type.Object({
  state: Type.Enum(['unavailable', 'request_observed', 'completed'] as const),
  tool: Type.Optional(Type.String()),
  actor: Type.Optional(Type.Enum(['main', 'subagent'] as const)),
  sourceAt: Type.Optional(Type.String()),
  /** Whether it still waits is never known from an event. */
  pending: Type.Literal('unknown'),
  suggestedRules: SuggestedRules,
});
export type PermissionStop = Static<typeof PermissionStop>;

export const NO_SUGGESTIONS: SuggestedRules = {
  state: 'unavailable',
  entries: [],
  unsupported: false,
  sizeCut: false,
};

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Read = { readonly entry: SuggestedEntry } | 'unsupported' | 'size';

function readRule(value: unknown): SuggestedEntry['rules'][number] | 'unsupported' | 'size' {
  if (!isFields(value)) return 'unsupported';
  const { toolName, ruleContent } = value;
  if (typeof toolName !== 'string' || toolName === '') return 'unsupported';
  if (ruleContent !== undefined && typeof ruleContent !== 'string') return 'unsupported';
  if (toolName.length > PERMISSION_TOOL_UNITS) return 'size';
  if (ruleContent !== undefined && ruleContent.length > PERMISSION_CONTENT_UNITS) return 'size';
  return ruleContent === undefined ? { toolName } : { toolName, ruleContent };
}

function readEntry(value: unknown): Read {
  if (!isFields(value)) return 'unsupported';
  const { type, rules, behavior, destination } = value;
  const known = TYPES.find((one) => one === type);
  if (known === undefined || !Array.isArray(rules)) return 'unsupported';
  if (typeof behavior !== 'string' || typeof destination !== 'string') return 'unsupported';
  if (rules.length > PERMISSION_RULES) return 'size';
  const kept: SuggestedEntry['rules'] = [];
  for (const rule of rules) {
    const read = readRule(rule);
    if (typeof read === 'string') return read;
    kept.push(read);
  }
  return { entry: { type: known, rules: kept, behavior, destination } };
}

/** UTF-8 bytes of the list as JSON. */
function jsonBytes(entries: readonly SuggestedEntry[]): number {
  return new TextEncoder().encode(JSON.stringify(entries)).length;
}

/**
 * The agent's own list within the limits: undefined is absent, an empty list present and empty, anything but a list
 * unavailable.
 */
export function boundSuggestions(raw: unknown): SuggestedRules {
  if (raw === undefined) return { ...NO_SUGGESTIONS, state: 'absent' };
  if (!Array.isArray(raw)) return NO_SUGGESTIONS;
  const entries: SuggestedEntry[] = [];
  let unsupported = false;
  let sizeCut = false;
  for (const one of raw) {
    const read = readEntry(one);
    if (read === 'unsupported') unsupported = true;
    else if (
      read === 'size' ||
      entries.length === PERMISSION_ENTRIES ||
      jsonBytes([...entries, read.entry]) > PERMISSION_EVIDENCE_BYTES
    )
      sizeCut = true;
    else entries.push(read.entry);
  }
  return { state: 'present', entries, unsupported, sizeCut };
}

/** What a relay says it has bounded, bounded again. */
export function checkSuggestions(posted: unknown): SuggestedRules {
  if (!isFields(posted)) return NO_SUGGESTIONS;
  const { state, entries, unsupported, sizeCut } = posted;
  if (state === 'absent') return { ...NO_SUGGESTIONS, state };
  if (state !== 'present' || !Array.isArray(entries)) return NO_SUGGESTIONS;
  const bound = boundSuggestions(entries);
  return {
    ...bound,
    unsupported: bound.unsupported || unsupported === true,
    sizeCut: bound.sizeCut || sizeCut === true,
  };
}

/** Letters, digits and what ids are written with. */
const AGENT_ID = /^[A-Za-z0-9_.:@/-]+$/;

/** Whose request it is; undefined when the id is malformed, which is never taken for the main agent. */
export function permissionActor(agentId: unknown): { readonly id: string | undefined } | undefined {
  if (agentId === undefined || agentId === null) return { id: undefined };
  if (typeof agentId !== 'string' || agentId.length > PERMISSION_AGENT_ID_UNITS) return undefined;
  return AGENT_ID.test(agentId) ? { id: agentId } : undefined;
}

/** A tool's name, or undefined when it is none: it is never cut. */
export function permissionTool(tool: unknown): string | undefined {
  return typeof tool === 'string' && tool !== '' && tool.length <= PERMISSION_TOOL_UNITS ? tool : undefined;
}
