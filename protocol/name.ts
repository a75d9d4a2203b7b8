// Seat and session addresses: `name` (rig `default`) or `name@rig`. A bad one is refused with the attach contract's
// sentence, the name quoted and escaped.

const PART = /^[a-z0-9-]{1,32}$/;
export const DEFAULT_RIG = 'default';

export interface SeatAddress {
  readonly name: string;
  readonly rig: string;
}

/** The address, or undefined when the text is none. `x@default` is the same address as `x`. */
export function parseAddress(text: string): SeatAddress | undefined {
  const at = text.indexOf('@');
  const name = at < 0 ? text : text.slice(0, at);
  const rig = at < 0 ? DEFAULT_RIG : text.slice(at + 1);
  return PART.test(name) && PART.test(rig) ? { name, rig } : undefined;
}

/** The one spelling of an address: without the rig when it is the default. */
export function formatAddress(address: SeatAddress): string {
  return address.rig === DEFAULT_RIG ? address.name : `${address.name}@${address.rig}`;
}

/** The sentence for a name that is none (attach contract 1.3). */
export function invalidNameText(text: string): string {
  return `invalid session name ${JSON.stringify(text.slice(0, 128))}: expected [a-z0-9-]{1,32}`;
}
