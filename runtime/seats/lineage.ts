// Who has sat in each seat: one row for each occupant, counted from 1, and the provenance of every handover. Always true:
// a former occupant is named `<seat>-v<version>` and no seat ever is; the newest row is the head; a row that can't be
// stored waits for the store and stops no session. It starts and ends nobody.
import { formatAddress, parseAddress } from '../../protocol/name.js';
import type { Change, HandoverRow, Journal, OccupantRow } from '../journal/port.js';
import type { Session } from '../session/session.js';

export interface LineagePort {
  readonly journal: Pick<Journal, 'owe'> & {
    readonly seats: Pick<Journal['seats'], 'occupants' | 'handovers'>;
  };
  now(): number;
  storeFailed(error: unknown): void;
}

/** Longest part of an address. */
const NAME_CHARACTERS = 32;

/** The name of a seat's former occupant, or undefined where an address has no room for it. */
export function formerName(seat: string, version: number): string | undefined {
  const address = parseAddress(seat);
  if (address === undefined) return undefined;
  const name = `${address.name}-v${version}`;
  return name.length > NAME_CHARACTERS ? undefined : formatAddress({ ...address, name });
}

export class Lineage {
  /** The newest row of each seat that has been asked for. */
  readonly #heads = new Map<string, OccupantRow | undefined>();
  /** Rows of sessions that run, whatever name they have now. */
  readonly #rows = new WeakMap<Session, OccupantRow>();
  readonly #conversations = new WeakMap<Session, string>();

  constructor(readonly port: LineagePort) {}

  /** The newest occupant; undefined when there was none, or when the store can't say. */
  head(seat: string): OccupantRow | undefined {
    if (!this.#heads.has(seat)) {
      try {
        this.#heads.set(seat, this.port.journal.seats.occupants(seat)[0]);
      } catch (error) {
        this.port.storeFailed(error);
      }
    }
    return this.#heads.get(seat);
  }

  rowOf(session: Session): OccupantRow | undefined {
    return this.#rows.get(session);
  }

  /** It was bound and is not any more, although it may still run. */
  hasLeft(session: Session): boolean {
    const row = this.#rows.get(session);
    return row !== undefined && row.state !== 'bound';
  }

  /** What the last run left open: its processes are gone. Once, before anybody sits down. */
  settleStart(seat: string): void {
    const rows = this.port.journal.seats.occupants(seat).filter(({ endedAt }) => endedAt === null);
    for (const row of rows)
      this.#keep({ ...row, state: 'ended', endedAt: this.port.now(), outcome: 'runtime_restarted' });
  }

  /** A session begins in a seat by being started there. */
  seated(seat: string, session: Session): OccupantRow {
    const row = this.nextRow(seat, session);
    this.#keep(row);
    this.#rows.set(session, row);
    return row;
  }

  /** The row that a session would have; it is the caller's to store and then to `enter`. */
  nextRow(seat: string, session: Session): OccupantRow {
    return {
      seat,
      version: (this.head(seat)?.version ?? 0) + 1,
      session: seat,
      generation: session.generation,
      state: 'bound',
      conversation: this.#conversations.get(session) ?? null,
      boundAt: this.port.now(),
      endedAt: null,
      outcome: null,
    };
  }

  /** Rows that are stored already. */
  enter(session: Session, row: OccupantRow): void {
    this.#rows.set(session, row);
    const head = this.#heads.get(row.seat);
    if (head === undefined || head.version <= row.version) this.#heads.set(row.seat, row);
  }

  /** A session is over, wherever it was. `handed_over` stays what it said. */
  ended(session: Session, outcome: string): void {
    const row = this.#rows.get(session);
    if (row === undefined || row.endedAt !== null) return;
    const state = row.state === 'bound' ? 'ended' : row.state;
    const next = { ...row, state, endedAt: this.port.now(), outcome: row.outcome ?? outcome };
    this.#rows.set(session, next);
    this.#keep(next);
  }

  /** The conversation that is known of a session, a candidate's too. */
  conversationOf(session: Session): string | undefined {
    return this.#conversations.get(session);
  }

  /** The agent, or whoever started it, has said which conversation it is in. */
  conversation(session: Session, id: string): void {
    this.#conversations.set(session, id);
    const row = this.#rows.get(session);
    if (row === undefined || row.conversation === id) return;
    const next = { ...row, conversation: id };
    this.#rows.set(session, next);
    this.#keep(next);
  }

  /** Throws JournalError when the store can't be read. */
  read(seat: string, limit: number): { occupants: OccupantRow[]; handovers: HandoverRow[] } {
    const { seats } = this.port.journal;
    return { occupants: seats.occupants(seat).slice(0, limit), handovers: seats.handovers(seat, limit) };
  }

  #keep(row: OccupantRow): void {
    const head = this.head(row.seat);
    if (head === undefined || head.version <= row.version) this.#heads.set(row.seat, row);
    const change: Change = { type: 'occupant', row };
    this.port.journal.owe(this.port.now(), [change]);
  }
}
