// The typing guard as data (guard.md 1): who may ask in which mode, how sure the composer must be, and what origins that
// are not messages need. Always true: every cell of the two tables stands here once and has a vector in
// spec/vectors/guard. It knows no seat and no screen.

import type { Reason } from '../../protocol/reason.js';
import type { Identity, Origin, Request } from './request.js';

export const GUARD_MODES = [
  'off',
  'draft-aware',
  'openrig-urgent',
  'urgent-only',
  'sends-only',
  'hold',
] as const;
export type GuardMode = (typeof GUARD_MODES)[number];

/** Other spellings at the edge. */
export const MODE_ALIASES: Readonly<Record<string, GuardMode>> = { 'shepherd-urgent': 'openrig-urgent' };

/** Whether a message may ask for the floor at all. */
export type Leave = 'ask' | 'held' | 'held_unless_urgent';

export interface ModeRules {
  /** `send` and `wake`. */
  readonly message: Leave;
  readonly notice: Leave;
  /** Whether the composer must be recognised empty, or may be unknown without a veto cause. */
  readonly composer: 'recognised_empty' | 'unknown_allowed';
  /** `fresh_only`: refused for a tenure that has worked. */
  readonly lifecycle: 'allowed' | 'fresh_only' | 'refused';
}

export const MODE_TABLE: Readonly<Record<GuardMode, ModeRules>> = {
  off: { message: 'ask', notice: 'ask', composer: 'unknown_allowed', lifecycle: 'allowed' },
  'draft-aware': { message: 'ask', notice: 'ask', composer: 'recognised_empty', lifecycle: 'fresh_only' },
  'openrig-urgent': {
    message: 'held_unless_urgent',
    notice: 'ask',
    composer: 'recognised_empty',
    lifecycle: 'refused',
  },
  'urgent-only': {
    message: 'held_unless_urgent',
    notice: 'held_unless_urgent',
    composer: 'recognised_empty',
    lifecycle: 'refused',
  },
  'sends-only': { message: 'ask', notice: 'held', composer: 'unknown_allowed', lifecycle: 'allowed' },
  hold: { message: 'held', notice: 'held', composer: 'unknown_allowed', lifecycle: 'refused' },
};

export interface OriginRules {
  /** In mode `hold`: `operator` lets a person with an admin credential through. */
  readonly hold: 'mode' | 'operator' | 'held' | 'refused';
  readonly status: 'idle' | 'any' | 'permission';
  /** Whether somebody who types stops it. */
  readonly typing: 'checked' | 'operator_exempt';
  /** What the composer must be: as the mode says, recognised empty, empty unless a dialog is driven, or not looked at. */
  readonly composer: 'mode' | 'empty' | 'empty_or_dialog' | 'unchecked';
}

/** Floor free and agent in the foreground hold for every origin. */
export const ORIGIN_TABLE: Readonly<Record<Origin, OriginRules>> = {
  send: { hold: 'mode', status: 'idle', typing: 'checked', composer: 'mode' },
  wake: { hold: 'mode', status: 'idle', typing: 'checked', composer: 'mode' },
  notice: { hold: 'mode', status: 'idle', typing: 'checked', composer: 'mode' },
  answer: { hold: 'operator', status: 'permission', typing: 'operator_exempt', composer: 'unchecked' },
  override: { hold: 'held', status: 'any', typing: 'checked', composer: 'empty_or_dialog' },
  lifecycle: { hold: 'refused', status: 'idle', typing: 'checked', composer: 'empty' },
};

/** The mode that a text names, or undefined. */
export function parseMode(text: string): GuardMode | undefined {
  if ((GUARD_MODES as readonly string[]).includes(text)) return text as GuardMode;
  return Object.hasOwn(MODE_ALIASES, text) ? MODE_ALIASES[text] : undefined;
}

/** Modes in which the composer must be recognised empty before the paste and hold exactly our text before Enter. */
export function readsComposer(mode: GuardMode): boolean {
  return MODE_TABLE[mode].composer === 'recognised_empty';
}

/** A person with an admin credential. Everything else is automation, whatever it calls itself. */
export function isOperator(identity: Identity): boolean {
  return identity.kind === 'admin';
}

export type ModeVerdict =
  | { readonly kind: 'ask' }
  | { readonly kind: 'hold'; readonly reason: 'typing_guard_enabled' }
  | { readonly kind: 'refuse'; readonly reason: 'typing_guard_enabled' | 'draft_aware_lifecycle' };

const ASK: ModeVerdict = { kind: 'ask' };
const HOLD: ModeVerdict = { kind: 'hold', reason: 'typing_guard_enabled' };

function forLeave(leave: Leave, urgent: boolean): ModeVerdict {
  if (leave === 'ask') return ASK;
  return leave === 'held_unless_urgent' && urgent ? ASK : HOLD;
}

function forLifecycle(mode: GuardMode, freshTenure: boolean): ModeVerdict {
  const rule = MODE_TABLE[mode].lifecycle;
  if (rule === 'allowed' || (rule === 'fresh_only' && freshTenure)) return ASK;
  return { kind: 'refuse', reason: mode === 'hold' ? 'typing_guard_enabled' : 'draft_aware_lifecycle' };
}

/** Why a step that ends or replaces the process of a seat is refused in one of these modes; undefined: it may go on. */
export function lifecycleRefusal(modes: readonly GuardMode[], freshTenure: boolean): Reason | undefined {
  for (const mode of modes) {
    const verdict = forLifecycle(mode, freshTenure);
    if (verdict.kind === 'refuse') return verdict.reason;
  }
  return undefined;
}

/** Whether one mode lets one request ask. `freshTenure`: the agent process has not begun a turn. */
export function askIn(
  mode: GuardMode,
  request: Pick<Request, 'origin' | 'urgent' | 'identity'>,
  freshTenure: boolean,
): ModeVerdict {
  const rules = MODE_TABLE[mode];
  switch (request.origin) {
    case 'send':
    case 'wake':
      return forLeave(rules.message, request.urgent);
    case 'notice':
      return forLeave(rules.notice, request.urgent);
    case 'answer':
      return mode !== 'hold' || isOperator(request.identity)
        ? ASK
        : { kind: 'refuse', reason: 'typing_guard_enabled' };
    case 'override':
      return mode === 'hold' ? HOLD : ASK;
    case 'lifecycle':
      return forLifecycle(mode, freshTenure);
  }
}

/**
 * Whether a credential may use an origin on a seat at all: undefined, or the reason of the refusal. A seat's own
 * occupant and Shepherd never answer or override, whatever scopes they hold.
 */
export function whoMay(origin: Origin, identity: Identity, seat: string): Reason | undefined {
  if (origin !== 'answer' && origin !== 'override') return undefined;
  const forbidden = origin === 'answer' ? 'answer_forbidden' : 'override_forbidden';
  if (identity.kind === 'shepherd' || identity.seat === seat) return forbidden;
  return isOperator(identity) || identity.scopes.includes(origin) ? undefined : forbidden;
}

/** A seat's setting as stored by an older reader: every protecting mode is "on", so it holds instead of typing. */
export function enabledBit(mode: GuardMode): boolean {
  return mode !== 'off';
}

export type GuardSetting =
  | { readonly ok: true; readonly mode: GuardMode; readonly reason: string }
  | { readonly ok: false; readonly reason: Reason };

const SETTING_FIELDS = new Set(['mode', 'enabled', 'reason', 'actor']);

/** Reads the body of a guard change: exactly one of `mode` and `enabled`, and a reason that says something. */
export function readGuardSetting(body: Readonly<Record<string, unknown>>): GuardSetting {
  const { mode, enabled, reason } = body;
  const invalid: GuardSetting = { ok: false, reason: 'guard_setting_invalid' };
  if (Object.keys(body).some((field) => !SETTING_FIELDS.has(field))) return invalid;
  if ((mode === undefined) === (enabled === undefined)) return invalid;
  const wanted =
    typeof mode === 'string'
      ? parseMode(mode)
      : typeof enabled === 'boolean'
        ? enabled
          ? 'hold'
          : 'off'
        : undefined;
  if (wanted === undefined) return invalid;
  if (typeof reason !== 'string' || reason.trim() === '') return { ok: false, reason: 'missing_reason' };
  return { ok: true, mode: wanted, reason: reason.trim() };
}
