// `openfloor hooks relay`: forwards a hook event of an agent from standard input to the seat's runtime. Always true: it is
// silent and gives up quickly, since the agent waits for it; it forwards names, short flags and the rules that the agent
// itself suggests, never arguments, prompts or reasons (spec/permissions.md). The runtime checks everything again.
import { readFileSync } from 'node:fs';
import { HOOK_BODY_BYTES, HOOK_INPUT_BYTES } from '../../../protocol/limit.js';
import { boundSuggestions, type PermissionPost, permissionTool } from '../../../protocol/permission.js';
import type { HookPost } from '../../../protocol/status.js';

/** Fields of a hook event that rules may ask for; nothing of what the agent was told or does. */
const FIELDS = [
  'notification_type',
  'source',
  'subtype',
  'type',
  'reason',
  'matcher',
  'session_id',
  'agent_id',
  'agent_type',
  'permission_mode',
];
/** The hook's own limit is 5 s; a runtime that is away must not be felt. */
const RELAY_LIMIT_MS = 1_500;
const FIELD_UNITS = 256;
const EVENT_UNITS = 128;
const TASKS = 64;

type Fields = NonNullable<HookPost['fields']>;

function fieldsOf(record: Readonly<Record<string, unknown>>): Fields {
  const fields: Fields = {};
  for (const name of FIELDS) {
    const value = record[name];
    if (
      typeof value === 'string' ? value.length <= FIELD_UNITS : typeof value === 'boolean' || value === null
    )
      fields[name] = value as string | boolean | null;
  }
  // How many there are, not what they do.
  if (Array.isArray(record.background_tasks))
    fields.background_tasks = record.background_tasks.slice(0, TASKS).map(() => null);
  return fields;
}

/** Of a permission request and of the end of a tool's run: which tool, and whose. */
function permissionOf(
  record: Readonly<Record<string, unknown>>,
  event: string,
  now: Date,
): PermissionPost | undefined {
  const tool = permissionTool(record.tool_name);
  const { agent_id: agentId } = record;
  if (tool === undefined || !/^(PermissionRequest|PostTool\w*)$/.test(event)) return undefined;
  // A malformed id would read as the main agent if it were left out.
  if (agentId !== undefined && agentId !== null && typeof agentId !== 'string') return undefined;
  return {
    tool,
    source_at: now.toISOString(),
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    ...(event === 'PermissionRequest'
      ? { suggested_rules: boundSuggestions(record.permission_suggestions) }
      : {}),
  };
}

/** The post for what an agent gave its hook, or undefined when it is no event. */
export function relayed(input: unknown, now: Date): HookPost | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const record = input as Readonly<Record<string, unknown>>;
  const event = record.hook_event_name ?? record.event ?? record.type;
  if (typeof event !== 'string' || event === '' || event.length > EVENT_UNITS) return undefined;
  const permission = permissionOf(record, event, now);
  return { event, fields: fieldsOf(record), ...(permission ? { permission } : {}) };
}

/** Posts an event with the occupant's own token; whether the runtime took it. */
export async function postHook(
  env: Readonly<Record<string, string | undefined>>,
  post: HookPost,
): Promise<boolean> {
  const { OPENFLOOR_URL: url, OPENFLOOR_TOKEN: token } = env;
  if (url === undefined || token === undefined) return false;
  const body = JSON.stringify(post);
  if (Buffer.byteLength(body) > HOOK_BODY_BYTES) return false;
  const answer = await fetch(`${url}/api/activity/hooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(RELAY_LIMIT_MS),
  });
  return answer.ok;
}

export async function relay(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    const text = readFileSync(0);
    if (text.length > HOOK_INPUT_BYTES) return;
    const post = relayed(JSON.parse(text.toString('utf8')), new Date());
    if (post) await postHook(env, post);
  } catch {
    // A hook that complains disturbs the agent; its status is then unknown, which says enough.
  }
}
