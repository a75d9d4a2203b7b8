// HTTP answers about seats (spec/seats.md): the list, one seat's status with its evidence, hooks and settings.
import Type, { type Static } from 'typebox';
import { LineageHead } from './handover.js';
import { PermissionStop } from './permission.js';
import { PolicyValue } from './policy.js';
import { DialogValue, ForegroundValue, PresenceValue, SeatSettings, StatusValue } from './status.js';

export const SeatEntry = Type.Object({
  seat: Type.String(),
  kind: Type.String(),
  session: Type.String(),
  generation: Type.Integer(),
  status: StatusValue,
  presence: PresenceValue,
  typing_guard: Type.String(),
  /** Who has the floor, how many requests wait for it, and the reason and start of the first one's wait. Times are ISO 8601. */
  floor: Type.Object({
    holder: Type.Union([Type.String(), Type.Null()]),
    waiting: Type.Integer({ minimum: 0 }),
    reason: Type.Union([Type.String(), Type.Null()]),
    since: Type.Union([Type.String(), Type.Null()]),
    /** A lifecycle step, such as a compaction, is not finished. */
    lifecycle_owed: Type.Boolean(),
    /** Since when text of an earlier message lies unsubmitted; null when none does. */
    unsubmitted_since: Type.Union([Type.String(), Type.Null()]),
  }),
});
export type SeatEntry = Static<typeof SeatEntry>;

export const SeatList = Type.Object({ seats: Type.Array(SeatEntry) });
export type SeatList = Static<typeof SeatList>;

export const SeatStatus = Type.Object({
  ...SeatEntry.properties,
  pid: Type.Integer(),
  command: Type.Array(Type.String()),
  rows: Type.Integer(),
  cols: Type.Integer(),
  foreground: ForegroundValue,
  settings: SeatSettings,
  /** The dialog on the screen, as far as a current reading knows. */
  dialog: Type.Optional(DialogValue),
  /** What the composer holds: empty, draft or unknown with its cause. */
  composer: Type.Object({ state: Type.String(), cause: Type.Optional(Type.String()) }),
  waiting: Type.Integer({ minimum: 0 }),
  held: Type.Integer({ minimum: 0 }),
  typing_guard_desired: Type.String(),
  /** The latest permission request that a hook told of. */
  permission_stop: PermissionStop,
  /** The seat's newest occupant, and the handover that is under way or has halted. */
  lineage: LineageHead,
  /** Who may intervene. */
  policy: PolicyValue,
  /** Which channel reports this agent's status, or what to do if none does; one sentence. */
  reporting: Type.String(),
  /** With `?explain=1`: every channel, rule and record that was looked at, and what it said. */
  explain: Type.Optional(Type.Unknown()),
});
export type SeatStatus = Static<typeof SeatStatus>;

export const PackList = Type.Object({
  packs: Type.Array(Type.Object({ name: Type.String(), path: Type.String(), rules: Type.Integer() })),
  refused: Type.Array(Type.Object({ file: Type.String(), line: Type.Integer(), reason: Type.String() })),
});
export type PackList = Static<typeof PackList>;
