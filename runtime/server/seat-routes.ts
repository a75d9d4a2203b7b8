// Seats over HTTP: the list, one seat's status with its evidence, its settings, packs, and hook events. Always true: who
// may only see some seats gets 404 for the others; hooks count for the credential's own seat alone.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { LineageHead } from '../../protocol/handover.js';
import { formatAddress, parseAddress } from '../../protocol/name.js';
import { mayIntervene, policyValue } from '../../protocol/policy.js';
import { PackList, type SeatEntry, SeatList, SeatStatus } from '../../protocol/seat.js';
import { SeatSettings } from '../../protocol/status.js';
import type { PackSet } from '../agents/pack-set.js';
import { reportingOf } from '../agents/report.js';
import type { Credential } from '../journal/port.js';
import { packOf } from '../seats/launch.js';
import type { PermissionBook } from '../seats/permission.js';
import { type Seat, type SeatBook, seatPolicy } from '../seats/seat-book.js';
import type { LeaderSpec, Registry } from '../session/registry.js';
import { HttpError } from './error.js';

export interface SeatPort {
  readonly book: SeatBook;
  readonly packs: PackSet;
  readonly registry: Registry;
  readonly permissions: PermissionBook;
  /** Held and not retired, notices included. */
  held(seat: string): number;
  /** Who sits there in the seat's lineage. */
  lineage(seat: Seat): LineageHead;
}

const SeatParams = Type.Object({ seat: Type.String() });
const StatusQuery = Type.Object({ explain: Type.Optional(Type.String()) });

/** Whether a credential may see this seat: all, its list, or its own. */
export function maySee(credential: Credential | undefined, address: string): boolean {
  if (credential === undefined) return false;
  if (credential.kind === 'agent' || credential.kind === 'attach') return credential.session === address;
  return credential.seats === null || credential.seats.includes(address);
}

/** Agents write to each other, so any seat can be a target; what a credential is limited to still counts. */
export function senderSees(credential: Credential): Credential {
  return credential.kind === 'agent' ? { ...credential, kind: 'admin', seats: null } : credential;
}

/** The seat of a path, or 404: the same for one that doesn't exist and one that isn't this credential's. */
export function seatOf(book: SeatBook, credential: Credential | undefined, text: string): Seat {
  const address = parseAddress(text);
  const seat = address && book.get(formatAddress(address));
  if (seat === undefined || !maySee(credential, seat.address)) {
    throw new HttpError('seat_not_found');
  }
  return seat;
}

function entryOf(seat: Seat): SeatEntry | undefined {
  const { occupant } = seat;
  if (occupant === undefined) return undefined;
  return {
    seat: seat.address,
    kind: seat.row.kind,
    session: occupant.session.spec.name,
    generation: occupant.session.generation,
    status: occupant.statusValue(),
    presence: occupant.presenceValue(),
    typing_guard: seat.row.guardEffective,
    floor: floorOf(seat),
  };
}

const iso = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());

function floorOf({ floor }: Seat): SeatEntry['floor'] {
  const first = floor?.floor.waiting().next().value?.wait;
  const holder = floor?.floor.view.holder;
  return {
    holder: holder?.kind === 'held' ? holder.request : null,
    waiting: floor?.floor.waitingCount ?? 0,
    reason: first?.reason ?? null,
    since: iso(first?.sinceAt),
    lifecycle_owed: floor?.floor.view.lifecycleOwed ?? false,
    unsubmitted_since: iso(floor?.floor.unsubmittedSince),
  };
}

/** What the screen says: untrusted text, escaped. */
function screenPart(seat: Seat): Pick<SeatStatus, 'dialog' | 'composer'> {
  const { occupant } = seat;
  const reading = occupant?.session.screen.reading;
  if (occupant === undefined || reading === undefined)
    return { composer: { state: 'unknown', cause: 'composer_unread' } };
  const { composer } = reading;
  const dialog = occupant.dialogValue();
  const state = { state: composer.kind, ...(composer.kind === 'unknown' ? { cause: composer.cause } : {}) };
  return { composer: state, ...(dialog ? { dialog } : {}) };
}

function reportingText(seat: Seat, packs: PackSet, leader: LeaderSpec | undefined): string {
  const { occupant } = seat;
  const pack = occupant?.watch.pack ?? (leader && packOf(packs, leader)) ?? packs.find(seat.settings.agent);
  if (pack) return reportingOf(pack, seat.launched).text;
  return 'No agent has been recognised in this seat, so its status is unknown and automation waits.';
}

/** Routes for everybody with a credential of their own; what each may see is narrower. */
export const seatRoutes =
  ({ book, packs, registry, permissions, held, lineage }: SeatPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/seats', { schema: { response: { 200: SeatList } } }, async ({ credential }) => ({
      seats: book
        .occupied()
        .filter((seat) => maySee(credential, seat.address))
        .flatMap((seat) => entryOf(seat) ?? []),
    }));

    app.get(
      '/api/seat/status/:seat',
      { schema: { params: SeatParams, querystring: StatusQuery, response: { 200: SeatStatus } } },
      async ({ params, query, credential }) => {
        const seat = seatOf(book, credential, params.seat);
        const entry = entryOf(seat);
        const { occupant } = seat;
        if (entry === undefined || occupant === undefined) {
          throw new HttpError('session_missing');
        }
        const { session, watch } = occupant;
        const { class: kind, cause, members } = watch.foreground();
        return {
          ...entry,
          pid: session.pid,
          command: [...(registry.leader(session.spec.name)?.command ?? [])],
          ...session.size,
          foreground: { class: kind, ...(cause ? { cause } : {}), members: [...members] },
          settings: seat.row.settings as SeatSettings,
          ...screenPart(seat),
          waiting: seat.floor?.floor.waitingCount ?? 0,
          held: held(seat.address),
          typing_guard_desired: seat.row.guardDesired,
          permission_stop: permissions.stopOf(occupant),
          lineage: lineage(seat),
          policy: policyValue(seatPolicy(seat)),
          reporting: reportingText(seat, packs, registry.leader(session.spec.name)),
          ...(query.explain === '1' ? { explain: watch.explain() } : {}),
        };
      },
    );
  };

/** Settings: an operator changes any, an agent or Shepherd the model and effort of the next start, as the policy lets it. */
export const seatSettingRoutes =
  ({ book, packs }: Pick<SeatPort, 'book' | 'packs'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.patch(
      '/api/seat/settings/:seat',
      {
        bodyLimit: 65_536,
        schema: { params: SeatParams, body: SeatSettings, response: { 200: SeatSettings } },
      },
      async ({ params, body, credential }) => {
        if (credential === undefined) throw new HttpError('credential_missing');
        const seat = seatOf(book, senderSees(credential), params.seat);
        // Model and effort are what a policy governs; everything else is the operator's alone.
        const others = Object.keys(body).filter((name) => name !== 'model' && name !== 'effort');
        if (credential.kind !== 'admin') {
          if (others.length > 0) throw new HttpError('credential_kind');
          const who = { kind: credential.kind, seat: credential.session };
          if (!mayIntervene(seatPolicy(seat), seat.address, who, 'model'))
            throw new HttpError('policy_denied');
        }
        if (body.agent !== undefined && body.agent !== 'auto' && packs.find(body.agent) === undefined) {
          throw new HttpError('unknown_pack', `There is no pack ${JSON.stringify(body.agent)}.`);
        }
        book.patch(seat, body);
        return seat.row.settings as SeatSettings;
      },
    );
  };

/** Routes that change the packs. */
export const seatAdminRoutes =
  ({ packs }: SeatPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    const listed = () => {
      const { packs: loaded, refused } = packs.loaded;
      return {
        packs: loaded.map(({ name, path, rules }) => ({ name, path, rules: rules.length })),
        refused: [...refused],
      };
    };
    app.get('/api/agents', { schema: { response: { 200: PackList } } }, async () => listed());
    app.post('/api/agents/reload', { schema: { response: { 200: PackList } } }, async () => {
      packs.reload();
      return listed();
    });
  };
