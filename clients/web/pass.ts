// What the page may do, and where it keeps that: an operator's credential from a ticket, or a view link's token for one
// seat. Always true: secrets come in the address's fragment, which is removed before anything else happens, and stay in
// session storage, which ends with the tab. It asks no server.

export type Pass =
  | { readonly kind: 'operator'; readonly token: string }
  | { readonly kind: 'viewer'; readonly token: string; readonly seat: string };

export type Arrival =
  | { readonly kind: 'ticket'; readonly ticket: string }
  | { readonly kind: 'view'; readonly pass: Pass }
  | { readonly kind: 'seat'; readonly seat: string }
  | { readonly kind: 'plain' };

const SECRET = /^[A-Za-z0-9._~-]{1,512}$/;
const SEAT = /^[a-z0-9-]{1,32}(@[a-z0-9-]{1,32})?$/;

/** What a fragment (with or without its `#`) brings. */
export function readFragment(fragment: string): Arrival {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const ticket = fields.get('ticket');
  if (ticket !== null && SECRET.test(ticket)) return { kind: 'ticket', ticket };
  const seat = fields.get('view') ?? fields.get('seat') ?? '';
  const token = fields.get('token') ?? '';
  if (fields.has('view') && SEAT.test(seat) && SECRET.test(token)) {
    return { kind: 'view', pass: { kind: 'viewer', token, seat } };
  }
  return SEAT.test(seat) ? { kind: 'seat', seat } : { kind: 'plain' };
}

/** The ticket in what a person pasted: a whole link, or the ticket alone. */
export function ticketIn(text: string): string | undefined {
  const trimmed = text.trim();
  const hash = trimmed.indexOf('#');
  const arrival = readFragment(hash < 0 ? `ticket=${trimmed}` : trimmed.slice(hash));
  return arrival.kind === 'ticket' ? arrival.ticket : undefined;
}

export function viewLink(base: string, seat: string, token: string): string {
  return `${base}#${new URLSearchParams({ view: seat, token })}`;
}

/** One page below each path prefix: two runtimes behind one proxy don't share a pass. */
const keyOf = (base: string) => `openfloor.pass ${base}`;

export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export function loadPass(store: Store, base: string): Pass | undefined {
  try {
    const value = JSON.parse(store.getItem(keyOf(base)) ?? 'null') as Pass | null;
    if (value === null || !SECRET.test(value.token)) return undefined;
    return value.kind === 'operator' || (value.kind === 'viewer' && SEAT.test(value.seat))
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

export function savePass(store: Store, base: string, pass: Pass | undefined): void {
  if (pass === undefined) store.removeItem(keyOf(base));
  else store.setItem(keyOf(base), JSON.stringify(pass));
}
