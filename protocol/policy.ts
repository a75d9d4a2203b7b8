// Who may intervene in a seat (spec/policy.md): compaction of its agent, and its saved model and effort. Always true: an
// exception counts before the preset, for the whole row of an actor; a seat without a choice allows what was allowed
// before there were choices; who is attributed to no seat and no program is never called a peer. Pure.
import Type, { type Static } from 'typebox';
import { INSTRUCTION_CHARACTERS, POLICY_HELPERS } from './limit.js';

export const PRESETS = ['no-peer-interventions', 'help-within-instructions', 'full-control'] as const;
export type Preset = (typeof PRESETS)[number];
export const CAPABILITIES = ['compaction', 'model'] as const;
export type Capability = (typeof CAPABILITIES)[number];
export const ACTORS = ['peer', 'self', 'shepherd'] as const;
export type Actor = (typeof ACTORS)[number];

const closed = { additionalProperties: false } as const;
const Verdict = Type.Enum(['allow', 'deny'] as const);
const Row = Type.Object({ compaction: Type.Optional(Verdict), model: Type.Optional(Verdict) }, closed);

/** A complete choice. Helpers and the instruction are stored and shown, never interpreted, but that a preset names them. */
export const Policy = Type.Object(
  {
    preset: Type.Enum(PRESETS),
    helpers: Type.Array(Type.String({ minLength: 1, maxLength: 65 }), { maxItems: POLICY_HELPERS }),
    instruction: Type.String({ maxLength: INSTRUCTION_CHARACTERS }),
    exceptions: Type.Object(
      { peer: Type.Optional(Row), self: Type.Optional(Row), shepherd: Type.Optional(Row) },
      closed,
    ),
  },
  closed,
);
export type Policy = Static<typeof Policy>;

/** The body of `POST /api/seat/set-terminal-policy/:seat`. What is left out goes back to the preset's own. */
export const PolicyBody = Type.Object(
  {
    preset: Type.Enum(PRESETS),
    helpers: Type.Optional(Policy.properties.helpers),
    instruction: Type.Optional(Policy.properties.instruction),
    exceptions: Type.Optional(
      Type.Object(
        {
          ...Policy.properties.exceptions.properties,
          /** Another name of shepherd. */
          openrig: Type.Optional(Row),
        },
        closed,
      ),
    ),
    reason: Type.String({ minLength: 1, maxLength: 1_000 }),
    /** Who is behind the change, as claimed; authenticates nobody. */
    operator: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** Also what seats that are added to this rig later begin with. */
    rig_default: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type PolicyBody = Static<typeof PolicyBody>;

/** `helpers`: the named helpers only. */
export type Leave = 'allow' | 'deny' | 'helpers';
export type PolicyTable = Readonly<Record<Actor, Readonly<Record<Capability, Leave>>>>;

const ALLOWED = { compaction: 'allow', model: 'allow' } as const;

/** What each preset says of peers; the seat itself and Shepherd keep what they may. */
const PEERS: Readonly<Record<Preset, Readonly<Record<Capability, Leave>>>> = {
  'no-peer-interventions': { compaction: 'deny', model: 'deny' },
  'help-within-instructions': { compaction: 'helpers', model: 'deny' },
  'full-control': ALLOWED,
};

export function policyTable(policy: Policy | undefined): PolicyTable {
  if (policy === undefined) return { peer: ALLOWED, self: ALLOWED, shepherd: ALLOWED };
  const { preset, exceptions } = policy;
  return {
    peer: { ...PEERS[preset], ...exceptions.peer },
    self: { ...ALLOWED, ...exceptions.self },
    shepherd: { ...ALLOWED, ...exceptions.shepherd },
  };
}

/** Who asks, as its credential says. `seat`: the seat whose occupant holds it. */
export interface Intervener {
  readonly kind: string;
  readonly seat?: string | null | undefined;
}

/** The row that an intervener stands in; undefined: attributed to no seat and no program. */
export function actorIn(seat: string, { kind, seat: own }: Intervener): Actor | undefined {
  if (kind === 'shepherd') return 'shepherd';
  if (kind !== 'agent' || !own) return undefined;
  return own === seat ? 'self' : 'peer';
}

export function mayIntervene(
  policy: Policy | undefined,
  seat: string,
  who: Intervener,
  capability: Capability,
): boolean {
  const actor = actorIn(seat, who);
  if (actor === undefined) return true;
  const leave = policyTable(policy)[actor][capability];
  if (leave !== 'helpers') return leave === 'allow';
  return policy?.helpers.includes(who.seat ?? '') === true;
}

/** The choice as it is read: the preset's name, `Custom` with any exception, or `none`. */
export function policyChoice(policy: Policy | undefined): Preset | 'Custom' | 'none' {
  if (policy === undefined) return 'none';
  return Object.keys(policy.exceptions).length > 0 ? 'Custom' : policy.preset;
}

/** The stored choice of a body: complete, empty rows left out. */
export function policyOf(body: PolicyBody): Policy {
  const { openrig, ...named } = body.exceptions ?? {};
  const rows = { ...(openrig ? { shepherd: openrig } : {}), ...named };
  return {
    preset: body.preset,
    helpers: body.helpers ?? [],
    instruction: body.instruction ?? '',
    exceptions: Object.fromEntries(Object.entries(rows).filter(([, row]) => Object.keys(row).length > 0)),
  };
}

/** A seat's policy in its status. */
export const PolicyValue = Type.Object({
  choice: Type.String(),
  preset: Type.Union([Type.String(), Type.Null()]),
  helpers: Type.Array(Type.String()),
  instruction: Type.String(),
  exceptions: Type.Unknown(),
  table: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
});
export type PolicyValue = Static<typeof PolicyValue>;

export function policyValue(policy: Policy | undefined): PolicyValue {
  const { preset = null, helpers = [], instruction = '', exceptions = {} } = policy ?? {};
  return {
    choice: policyChoice(policy),
    preset,
    helpers: [...helpers],
    instruction,
    exceptions,
    table: policyTable(policy) as PolicyValue['table'],
  };
}
