// Who acts on a row, as the credential says it. Always true: a seat is the credential's own, or the one that an operator
// named with `--as`; the text for the record says which. Pure.
import { formatAddress, parseAddress } from '../../protocol/name.js';
import type { Caller } from '../port.js';
import { type Refusal, refuse } from './refusal.js';

export interface Actor {
  /** Seat that it acts as; undefined for an operator as itself. */
  readonly seat: string | undefined;
  readonly operator: boolean;
  /** For the transitions. */
  readonly text: string;
}

/** Source of rows that an operator creates as itself. */
export const OPERATOR = 'operator';

/** The one spelling of a seat address, or undefined when it is none. */
export function seatAddress(text: string): string | undefined {
  const address = parseAddress(text);
  return address && formatAddress(address);
}

/** Who acts when this caller asks, `as` being the seat it names. `write`: it wants to change something. */
export function actorOf(
  caller: Caller,
  as: string | undefined,
  write: boolean,
): { readonly ok: true; readonly actor: Actor } | Refusal {
  if (caller.kind === 'admin' || (caller.kind === 'auditor' && !write)) {
    const name = caller.name === OPERATOR ? OPERATOR : `${OPERATOR} ${caller.name}`;
    if (as === undefined || as === OPERATOR) {
      return { ok: true, actor: { seat: undefined, operator: true, text: name } };
    }
    const seat = seatAddress(as);
    if (seat === undefined) return refuse('invalid_name', `${JSON.stringify(as)} is no seat address.`);
    return { ok: true, actor: { seat, operator: true, text: `${seat} (by ${name})` } };
  }
  if (caller.kind !== 'agent') {
    return refuse('credential_kind', `A credential of kind ${caller.kind} may not do this.`);
  }
  if (caller.seat === undefined) {
    return refuse('credential_kind', 'This agent credential belongs to no seat.');
  }
  if (as !== undefined && seatAddress(as) !== caller.seat) {
    return refuse('credential_kind', 'Only an operator may act as another seat.');
  }
  return { ok: true, actor: { seat: caller.seat, operator: false, text: caller.seat } };
}

/** Whether the actor may see the row at all. */
export function maySee(
  actor: Actor,
  row: { readonly source: string; readonly destination: string },
): boolean {
  return actor.operator || row.source === actor.seat || row.destination === actor.seat;
}

/** Whether it acts for the destination: the seat itself, or an operator. */
export function actsForDestination(actor: Actor, row: { readonly destination: string }): boolean {
  return actor.seat === undefined ? actor.operator : actor.seat === row.destination;
}
