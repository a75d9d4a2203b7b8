// The latest permission request that an occupant's hooks told of: one across its actors, in memory only, for five minutes.
// Always true: an event of one actor says nothing of another; what is over or unknown shows as unavailable, which proves
// nothing. Pure: time is an argument. It changes no status and answers no dialog.
import { PERMISSION_SHOWN_MS } from '../../protocol/limit.js';
import {
  checkSuggestions,
  NO_SUGGESTIONS,
  type PermissionPost,
  type PermissionStop,
  permissionActor,
  permissionTool,
  type SuggestedRules,
} from '../../protocol/permission.js';

export interface Observation {
  readonly state: 'request_observed' | 'completed';
  readonly tool: string;
  /** Of a subagent; undefined is the main agent. */
  readonly agentId: string | undefined;
  readonly observedAt: number;
  readonly sourceAt: number;
  readonly suggestedRules: SuggestedRules;
}

/** Names of Claude Code's, Codex's and Qwen Code's events. */
const REQUEST = 'PermissionRequest';
const COMPLETED: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure', 'PostToolBatch']);

/** A relay's clock counts while it is near ours. */
function sourceTime(text: string | undefined, now: number): number {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Math.abs(at - now) <= PERMISSION_SHOWN_MS ? at : now;
}

/** What is known after an event; `now` in milliseconds since the epoch. */
export function observePermission(
  before: Observation | undefined,
  event: string,
  post: PermissionPost | undefined,
  now: number,
): Observation | undefined {
  const actor = permissionActor(post?.agent_id);
  const tool = permissionTool(post?.tool);
  if (post === undefined || actor === undefined || tool === undefined) return before;
  if (event === REQUEST) {
    return {
      state: 'request_observed',
      tool,
      agentId: actor.id,
      observedAt: now,
      sourceAt: sourceTime(post.source_at, now),
      suggestedRules: checkSuggestions(post.suggested_rules),
    };
  }
  if (!COMPLETED.has(event) || before === undefined || before.agentId !== actor.id) return before;
  return { ...before, state: 'completed', observedAt: now, sourceAt: sourceTime(post.source_at, now) };
}

/** The part of a seat's status. */
export function permissionStop(seen: Observation | undefined, now: number): PermissionStop {
  if (seen === undefined || now - seen.observedAt > PERMISSION_SHOWN_MS) {
    return { state: 'unavailable', pending: 'unknown', suggestedRules: NO_SUGGESTIONS };
  }
  const { state, tool, agentId, sourceAt, suggestedRules } = seen;
  return {
    state,
    tool,
    actor: agentId === undefined ? 'main' : 'subagent',
    sourceAt: new Date(sourceAt).toISOString(),
    pending: 'unknown',
    suggestedRules,
  };
}

/** By occupant, so that the next one inherits nothing and one that has gone is forgotten. */
export class PermissionBook {
  readonly #seen = new WeakMap<object, Observation>();

  constructor(private readonly now: () => number) {}

  observe(occupant: object, event: string, post: PermissionPost | undefined): void {
    const seen = observePermission(this.#seen.get(occupant), event, post, this.now());
    if (seen) this.#seen.set(occupant, seen);
  }

  stopOf(occupant: object): PermissionStop {
    return permissionStop(this.#seen.get(occupant), this.now());
  }
}
