// Subprotocols of the three planes, and how a browser carries its credential. Kept apart from the schemas, so that a
// client that only connects loads no schema library.

export const ATTACH_PROTOCOL = 'openab.pty.v1';
export const FLOOR_PROTOCOL = 'openfloor.floor.v1';
export const AUDIT_PROTOCOL = 'openfloor.audit.v1';
/** A browser can't set headers: it offers this prefix and its token as one more subprotocol. Never echoed. */
export const BEARER_PROTOCOL_PREFIX = 'openab.bearer.';
