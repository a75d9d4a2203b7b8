// Every seat by address: its row in the store, its settings, and its occupant while a session runs. Always true: the book
// in memory leads and the store follows, so that a store that is away stops no session; an address keeps its settings when
// its occupant ends.
import type { SeatSettings } from '../../protocol/status.js';
import type { Pack } from '../agents/load.js';
import type { PackSet } from '../agents/pack-set.js';
import { readingPackOf } from '../agents/reading.js';
import type { FloorEffect } from '../floor/event.js';
import type { GuardMode } from '../floor/mode.js';
import type { Journal, SeatRow } from '../journal/port.js';
import type { FloorLedger } from '../session/floor-ledger.js';
import { FloorRun, type FloorRunPort } from '../session/floor-run.js';
import { Occupant, type OccupantChange, type OccupantPort } from '../session/occupant.js';
import type { Session } from '../session/session.js';
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
}

export interface SeatBookPort {
  readonly journal: Pick<Journal, 'seats' | 'commit'>;
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

export type SeatChange =
  | OccupantChange
  | { readonly kind: 'settings' | 'ended' }
  | { readonly kind: 'floor'; readonly effect: FloorEffect };
export type SeatListener = (seat: Seat, change: SeatChange) => void;

export class SeatBook {
  readonly #seats = new Map<string, Seat>();
  readonly #listeners = new Set<SeatListener>();

  constructor(readonly port: SeatBookPort) {
    for (const row of port.journal.seats.list()) this.#add(row);
  }

  /** Tells every change, in order, until the answer is called. */
  listen(listener: SeatListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
        policy: {},
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

  /** The watcher of a session that begins in this seat. */
  seatOccupant(session: Session): Occupant<Pack> {
    const seat = this.#seats.get(session.spec.name) ?? this.open(session.spec.name, {});
    seat.floor?.end();
    seat.occupant?.end();
    const occupant = new Occupant<Pack>(session, {
      facts: this.port.facts,
      now: this.port.now,
      packs: () => this.port.packs.candidates(seat.settings.agent),
      settings: () => seat.settings,
      output: (offset) => floor.received(offset),
      modesChanged: () => floor.modesChanged(),
      joined: (client) => floor.joined(client),
      readingPack: ({ watch }) => watch.pack && readingPackOf(watch.pack, watch.status.tenure?.version),
      changed: (from, change) => {
        if (seat.occupant !== from) return;
        floor.changed(change);
        this.#tell(seat, change);
      },
    });
    const floor = this.#floorOf(seat, occupant);
    seat.occupant = occupant;
    seat.floor = floor;
    return occupant;
  }

  #floorOf(seat: Seat, occupant: Occupant<Pack>): FloorRun<Pack> {
    const { ledger, lineModes, now, auditSync } = this.port;
    return new FloorRun<Pack>(occupant, {
      ledger,
      lineModes,
      now,
      auditSync,
      settings: () => floorSettings(seat.settings, occupant.watch.pack),
      seatKind: () =>
        seat.row.kind === 'terminal'
          ? { kind: 'terminal', allowShellSends: seat.settings.allowShellSends, prompt: 'other' }
          : { kind: 'agent' },
      mode: () => ({ desired: seat.row.guardDesired, effective: seat.row.guardEffective }),
      told: (effect) => this.#tell(seat, { kind: 'floor', effect }),
    });
  }

  vacate(session: Session): void {
    const seat = this.#seats.get(session.spec.name);
    if (seat?.occupant?.session !== session) return;
    seat.floor?.end();
    seat.occupant.end();
    seat.occupant = undefined;
    seat.floor = undefined;
    seat.launched = false;
    this.#tell(seat, { kind: 'ended' });
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

  patch(seat: Seat, settings: SeatSettings): void {
    this.#keep(seat, { ...seat.row, settings: { ...seat.row.settings, ...settings } });
    seat.floor?.settingsChanged();
    this.#tell(seat, { kind: 'settings' });
  }

  /** Once a second. */
  tick(): void {
    for (const seat of this.#seats.values()) seat.occupant?.tick();
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
    for (const listener of this.#listeners) listener(seat, change);
  }
}
