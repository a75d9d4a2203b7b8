// Every seat by address: its row in the store, its settings, and its occupant while a session runs. Always true: the book
// in memory leads and the store follows, so that a store that is away stops no session; an address keeps its settings when
// its occupant ends; what runs beside a seat (a candidate, a former occupant) has a place here and is found by no list.
import { DEFAULT_RIG, parseAddress } from '../../protocol/name.js';
import type { Policy } from '../../protocol/policy.js';
import type { SeatSettings } from '../../protocol/status.js';
import type { Pack } from '../agents/load.js';
import type { PackSet } from '../agents/pack-set.js';
import { readingPackOf } from '../agents/reading.js';
import type { FloorEffect } from '../floor/event.js';
import type { GuardMode } from '../floor/mode.js';
import type { AuditEntry, Journal, SeatRow } from '../journal/port.js';
import type { FloorLedger } from '../session/floor-ledger.js';
import { FloorRun, type FloorRunPort } from '../session/floor-run.js';
import { Occupant, type OccupantChange, type OccupantPort } from '../session/occupant.js';
import type { Session } from '../session/session.js';
import { Lineage } from './lineage.js';
import {
  type EffectiveSettings,
  effectiveSettings,
  floorSettings,
  type SettingDefaults,
} from './settings.js';

export interface Seat {
  readonly address: string;
  row: SeatRow;
  settings: EffectiveSettings;
  /** Who sits there, while a session runs, and the floor of that session. */
  occupant: Occupant<Pack> | undefined;
  floor: FloorRun<Pack> | undefined;
  /** The runtime started the agent itself, with its pack's launch help. */
  launched: boolean;
  /** `switching` while a handover has stopped automation, also when it has halted. */
  gate: 'open' | 'switching';
  /** The seat that this one runs beside; undefined for a seat that can be found. */
  readonly beside: string | undefined;
}

/** Where a session sits now: a handover moves it. */
interface Place {
  seat: Seat;
}

export interface SeatBookPort {
  readonly journal: Pick<Journal, 'seats' | 'rigs' | 'commit' | 'owe'>;
  readonly packs: PackSet;
  readonly facts: OccupantPort<Pack>['facts'];
  readonly defaults: SettingDefaults;
  readonly ledger: FloorLedger;
  readonly lineModes: FloorRunPort['lineModes'];
  readonly auditSync: 'normal' | 'full';
  now(): number;
  /** The store couldn't keep a seat's row: a line for the log. */
  storeFailed(error: unknown): void;
}

/** The seat's stored choice; undefined when none was made. */
export function seatPolicy({ row }: Pick<Seat, 'row'>): Policy | undefined {
  return 'preset' in row.policy ? (row.policy as unknown as Policy) : undefined;
}

const rigOf = (address: string) => parseAddress(address)?.rig ?? DEFAULT_RIG;

export type SeatChange =
  | OccupantChange
  | { readonly kind: 'settings' | 'ended' }
  | { readonly kind: 'floor'; readonly effect: FloorEffect };
export type SeatListener = (seat: Seat, change: SeatChange) => void;

export class SeatBook {
  readonly lineage: Lineage;
  readonly #seats = new Map<string, Seat>();
  readonly #beside = new Map<string, Seat>();
  /** What seats that are added to a rig begin with; in memory, since a new seat must not need the store. */
  readonly #rigPolicies: Map<string, SeatRow['policy']>;
  readonly #places = new WeakMap<Session, Place>();
  /** Listener -> whether it hears of what runs beside seats, too. */
  readonly #listeners = new Map<SeatListener, boolean>();

  constructor(readonly port: SeatBookPort) {
    this.lineage = new Lineage(port);
    this.#rigPolicies = new Map(port.journal.rigs.policies());
    for (const row of port.journal.seats.list()) {
      this.#add(row).gate = row.binding === null ? 'open' : 'switching';
      this.lineage.settleStart(row.seat);
    }
  }

  /** Tells every change, in order, until the answer is called. `beside`: of candidates and former occupants, too. */
  listen(listener: SeatListener, beside = false): () => void {
    this.#listeners.set(listener, beside);
    return () => this.#listeners.delete(listener);
  }

  /** Every seat that can be found, with or without an occupant. */
  all(): Seat[] {
    return [...this.#seats.values()];
  }

  /** The occupant that was started for this seat with this generation, wherever it sits now. */
  startedAs(address: string, generation: number): Seat | undefined {
    const is = ({ occupant }: Seat) =>
      occupant?.session.spec.seat === address && occupant.session.spec.generation === generation;
    const seat = this.#seats.get(address);
    return seat && is(seat) ? seat : [...this.#beside.values()].find(is);
  }

  get(address: string): Seat | undefined {
    return this.#seats.get(address);
  }

  /** Seats that have an occupant, by address. */
  occupied(): Seat[] {
    return [...this.#seats.values()]
      .filter((seat) => seat.occupant !== undefined)
      .sort((a, b) => (a.address < b.address ? -1 : 1));
  }

  /** The seat of that address, made when it is new. A kind or pack that is named replaces the stored one. */
  open(address: string, wish: { readonly kind?: 'agent' | 'terminal'; readonly agent?: string }): Seat {
    const seat =
      this.#seats.get(address) ??
      this.#add({
        seat: address,
        kind: wish.kind ?? 'agent',
        pack: wish.agent ?? 'auto',
        settings: {},
        policy: this.#rigPolicies.get(rigOf(address)) ?? {},
        binding: null,
        guardDesired: wish.kind === 'terminal' ? 'sends-only' : 'off',
        guardEffective: wish.kind === 'terminal' ? 'sends-only' : 'off',
        guardRevision: 0,
        createdAt: this.port.now(),
      });
    const settings =
      wish.agent === undefined ? seat.row.settings : { ...seat.row.settings, agent: wish.agent };
    this.#keep(seat, { ...seat.row, kind: wish.kind ?? seat.row.kind, settings });
    return seat;
  }

  /** A place beside a seat, with that seat's settings and no guard of its own. Never stored. */
  besideSeat(seat: Seat, address: string): Seat {
    const guard = { guardDesired: 'off', guardEffective: 'off', binding: null } as const;
    const place: Seat = {
      address,
      row: { ...seat.row, ...guard, seat: address },
      settings: seat.settings,
      occupant: undefined,
      floor: undefined,
      launched: false,
      gate: 'open',
      beside: seat.address,
    };
    this.#beside.set(address, place);
    return place;
  }

  /** The place is given up; its session, if there is one, ends by other hands. */
  forget(place: Seat): void {
    this.#beside.delete(place.address);
  }

  /** The watcher of a session that begins in this seat. */
  seatOccupant(session: Session): Occupant<Pack> {
    const { name } = session.spec;
    const place: Place = { seat: this.#beside.get(name) ?? this.#seats.get(name) ?? this.open(name, {}) };
    place.seat.floor?.end();
    place.seat.occupant?.end();
    const occupant = new Occupant<Pack>(session, {
      facts: this.port.facts,
      now: this.port.now,
      packs: () => this.port.packs.candidates(place.seat.settings.agent),
      settings: () => place.seat.settings,
      output: (offset) => floor.received(offset),
      modesChanged: () => floor.modesChanged(),
      joined: (client) => floor.joined(client),
      readingPack: ({ watch }) => watch.pack && readingPackOf(watch.pack, watch.status.tenure?.version),
      changed: (from, change) => {
        if (place.seat.occupant !== from) return;
        floor.changed(change);
        this.#tell(place.seat, change);
      },
    });
    const floor = this.#floorOf(place, occupant);
    place.seat.occupant = occupant;
    place.seat.floor = floor;
    this.#places.set(session, place);
    if (place.seat.beside === undefined) this.lineage.seated(name, session);
    return occupant;
  }

  #floorOf(place: Place, occupant: Occupant<Pack>): FloorRun<Pack> {
    const { ledger, lineModes, now, auditSync } = this.port;
    return new FloorRun<Pack>(occupant, {
      ledger,
      lineModes,
      now,
      auditSync,
      settings: () => floorSettings(place.seat.settings, occupant.watch.pack, seatPolicy(place.seat)),
      seatKind: () =>
        place.seat.row.kind === 'terminal'
          ? { kind: 'terminal', allowShellSends: place.seat.settings.allowShellSends, prompt: 'other' }
          : { kind: 'agent' },
      mode: () => ({ desired: place.seat.row.guardDesired, effective: place.seat.row.guardEffective }),
      gate: () => place.seat.gate,
      told: (effect) => this.#tell(place.seat, { kind: 'floor', effect }),
    });
  }

  /** The session is over; `why` stands in the lineage unless its occupant had left the seat before. */
  vacate(session: Session, why: string): void {
    this.lineage.ended(session, why);
    const seat = this.#places.get(session)?.seat;
    if (seat?.occupant?.session !== session) return;
    seat.floor?.end();
    seat.occupant.end();
    seat.occupant = undefined;
    seat.floor = undefined;
    seat.launched = false;
    this.#beside.delete(seat.address);
    this.#tell(seat, { kind: 'ended' });
  }

  /** Stops automation of a seat, or lets it go on. What waits is held or refused at once. */
  setGate(seat: Seat, gate: Seat['gate']): void {
    if (seat.gate === gate) return;
    seat.gate = gate;
    seat.floor?.gateChanged();
    this.#tell(seat, { kind: 'settings' });
  }

  /** What a handover has done so far, for the next start. Throws JournalError when it can't be kept. */
  keepBinding(seat: Seat, binding: SeatRow['binding']): void {
    const row = { ...seat.row, binding };
    this.port.journal.commit([{ type: 'seat', row }]);
    seat.row = row;
  }

  /** A candidate takes the seat. Who was there goes on at `kept`, or has ended. Sessions are moved by the registry. */
  bind(seat: Seat, candidate: Seat, kept: Seat | undefined): void {
    const { occupant, floor, launched } = seat;
    if (occupant && kept) {
      Object.assign(kept, { occupant, floor, launched });
      const place = this.#places.get(occupant.session);
      if (place) place.seat = kept;
      floor?.moved();
    } else if (occupant) {
      floor?.end();
      occupant.end();
    }
    const next = candidate.occupant;
    Object.assign(seat, { occupant: next, floor: candidate.floor, launched: candidate.launched });
    Object.assign(candidate, { occupant: undefined, floor: undefined });
    this.#beside.delete(candidate.address);
    const place = next && this.#places.get(next.session);
    if (place) place.seat = seat;
    if (floor) seat.floor?.floor.inherit(floor.floor);
    seat.floor?.moved();
    if (next) this.#tell(seat, { kind: 'status', status: next.status, changes: [] });
    this.#tell(seat, { kind: 'presence' });
  }

  /** The mode that is wanted from now on; it takes effect when no transaction runs (guard contract 1). */
  setGuard(seat: Seat, mode: GuardMode): void {
    const { guardDesired, guardRevision } = seat.row;
    const revision = mode === guardDesired ? guardRevision : guardRevision + 1;
    this.#keep(seat, { ...seat.row, guardDesired: mode, guardRevision: revision });
    if (seat.floor) seat.floor.step({ kind: 'mode', mode });
    else this.guardEffective(seat.address, mode);
    this.#tell(seat, { kind: 'settings' });
  }

  guardEffective(address: string, mode: GuardMode): void {
    const seat = this.#seats.get(address);
    if (seat === undefined || seat.row.guardEffective === mode) return;
    this.#keep(seat, { ...seat.row, guardEffective: mode });
    this.#tell(seat, { kind: 'settings' });
  }

  /** The complete choice of who may intervene; with `rigDefault` also of seats that are added to the rig later. */
  setPolicy(seat: Seat, policy: Policy, entry: AuditEntry, rigDefault: boolean): void {
    const row = { ...seat.row, policy };
    const rig = rigOf(seat.address);
    // The change and its record are one: a policy that nobody can account for doesn't hold.
    this.port.journal.commit([
      { type: 'seat', row },
      ...(rigDefault ? [{ type: 'rig_policy' as const, rig, policy }] : []),
      { type: 'audit', entry },
    ]);
    if (rigDefault) this.#rigPolicies.set(rig, policy);
    seat.row = row;
    seat.floor?.settingsChanged();
    this.#tell(seat, { kind: 'settings' });
  }

  patch(seat: Seat, settings: SeatSettings): void {
    this.#keep(seat, { ...seat.row, settings: { ...seat.row.settings, ...settings } });
    seat.floor?.settingsChanged();
    this.#tell(seat, { kind: 'settings' });
  }

  /** Once a second. */
  tick(): void {
    for (const seat of this.#seats.values()) seat.occupant?.tick();
    for (const seat of this.#beside.values()) seat.occupant?.tick();
  }

  #add(row: SeatRow): Seat {
    const settings = effectiveSettings(row.settings as SeatSettings, this.port.defaults);
    const seat: Seat = {
      address: row.seat,
      row,
      settings,
      occupant: undefined,
      floor: undefined,
      launched: false,
      gate: 'open',
      beside: undefined,
    };
    this.#seats.set(row.seat, seat);
    return seat;
  }

  #keep(seat: Seat, row: SeatRow): void {
    seat.row = row;
    seat.settings = effectiveSettings(row.settings as SeatSettings, this.port.defaults);
    try {
      this.port.journal.commit([{ type: 'seat', row }]);
    } catch (error) {
      this.port.storeFailed(error);
    }
  }

  #tell(seat: Seat, change: SeatChange): void {
    for (const [listener, beside] of this.#listeners) {
      if (beside || seat.beside === undefined) listener(seat, change);
    }
  }
}
