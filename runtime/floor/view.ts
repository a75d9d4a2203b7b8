// The view: everything a decision may look at, at one instant. Always true: it holds facts, never conclusions about a
// request; what isn't known says so. The status, input, composer and screen rooms fill it through the session; this room
// imports none of them and names only the part it needs.

import type { Policy } from '../../protocol/policy.js';
import type { Reason } from '../../protocol/reason.js';
import {
  CONFIRM_MS,
  HUMAN_QUIET_MS,
  SETTLE_LARGE_BYTES,
  SETTLE_LARGE_MIN_MS,
  SETTLE_MAX_MS,
  SETTLE_MIN_MS,
  SETTLE_QUIET_MS,
} from './limit.js';
import type { GuardMode } from './mode.js';
import type { DialogChoice } from './request.js';

export type SessionView =
  | { readonly kind: 'missing' }
  | { readonly kind: 'ended'; readonly generation: number }
  | {
      readonly kind: 'live';
      readonly generation: number;
      /** The agent process that runs now (pid and start time as one text), or none: only a shell, or something else. */
      readonly tenure: string | undefined;
      /** The tenure has not begun a turn. */
      readonly freshTenure: boolean;
    };

export type SeatKind =
  | { readonly kind: 'agent' }
  /** `prompt`: OSC 133 shows an empty prompt with the cursor on it, or it doesn't. */
  | { readonly kind: 'terminal'; readonly allowShellSends: boolean; readonly prompt: 'empty' | 'other' };

/** What stops all automation of a seat or runtime. */
export type Gate = 'open' | 'draining' | 'switching';

/**
 * The seat's status. `signal` is the number of hard signals of the deciding channel in this session, repeated ones too:
 * it tells evidence that came later from a status that merely still stands.
 */
export type StatusView =
  | { readonly state: 'unknown'; readonly cause: 'starting' | 'status_unknown' | 'interrupt_unsettled' }
  | { readonly state: 'working' }
  | {
      readonly state: 'idle';
      /** `idle_or_blocked` (S5): the signal means one or the other. */
      readonly means: 'idle' | 'idle_or_blocked';
    }
  | { readonly state: 'blocked'; readonly kind: string; readonly hard: boolean };

export interface StatusFacts {
  readonly status: StatusView;
  readonly signal: number;
  /** For people: where it comes from. */
  readonly source: string;
}

/** The floor: nobody's, somebody's, or shut because the audit record could not be written. */
export type Holder =
  | { readonly kind: 'free' }
  | { readonly kind: 'held'; readonly request: string; readonly sinceAt: number }
  | { readonly kind: 'shut'; readonly untilAt: number };

/** Section 8: a write or an operator's Enter consumes the idle evidence. */
export type IdleEvidence =
  | { readonly kind: 'fresh' }
  | {
      readonly kind: 'consumed';
      /** `paste`: text was written and no Enter. `dialog_keys`: what was written went to a dialog. */
      readonly by: 'paste' | 'enter' | 'operator_enter' | 'dialog_keys';
      readonly at: number;
      /** `signal` of the status and offset of all bytes received at that instant. */
      readonly signal: number;
      readonly offset: number;
      readonly turnSeen: boolean;
    };

export interface Presence {
  readonly lastKeyAt: number | undefined;
  /** Somebody composes, until then unless renewed. */
  readonly composingUntilAt: number | undefined;
}

export const VETOES = [
  'sync_update_open',
  'alt_screen_other',
  'menu_or_picker',
  'command_mode',
  'cursor_outside',
] as const satisfies readonly Reason[];
export type Veto = (typeof VETOES)[number];

export type ComposerView =
  /** A suggestion counts as empty. */
  | { readonly kind: 'empty' }
  /** `ownership`: whether the draft is exactly the text of the running transaction. */
  | { readonly kind: 'draft'; readonly ownership: 'ours' | 'other' | 'unknown' }
  | { readonly kind: 'unknown'; readonly cause: Reason };

export interface DialogView {
  /** tenure : blocked counter : digest of the stable rows. */
  readonly instance: string;
  /**
   * The same without the label of the selected option, which may be a field that takes text: what an override types into
   * stays this place. The instance where absent.
   */
  readonly place?: string;
  readonly kind: string;
  /** The command that it asks about isn't shown whole. */
  readonly truncated: boolean;
  /** Keys of the options that are exactly allow-once and deny-once. */
  readonly keys: Readonly<Partial<Record<DialogChoice, string>>>;
}

/** What the screen model said at one offset. It is current if that is the offset of all bytes received. */
export interface ReadingView {
  readonly offset: number;
  readonly composer: ComposerView;
  readonly vetoes: readonly Veto[];
  readonly dialog: DialogView | undefined;
  /** Text of the viewport rows, top first, and the cursor's row. */
  readonly rows: readonly string[];
  readonly cursorRow: number;
  /** How often the pack's paste label stands in the rows around the cursor. */
  readonly pasteLabels: number;
}

/** Row 14: who has the terminal. `unread`: not asked in this turn of the loop. */
export type ForegroundView =
  | { readonly kind: 'unread' }
  /** `carrier`: the agent runs behind a carrier such as ssh. */
  | { readonly kind: 'agent'; readonly carrier: boolean }
  | { readonly kind: 'shell' }
  | { readonly kind: 'other'; readonly program: string }
  | { readonly kind: 'unavailable' };

export type TermiosView =
  | { readonly kind: 'unread' }
  | { readonly kind: 'raw' | 'canonical'; readonly at: number };

/** Settle times of the seat's pack, in milliseconds; `large` applies to bodies above `largeBytes`. */
export interface SettleTimes {
  readonly minMs: number;
  readonly largeMinMs: number;
  readonly largeBytes: number;
  readonly quietMs: number;
  readonly maxMs: number;
}

export interface Settings {
  readonly humanQuietMs: number;
  readonly confirmMs: number;
  readonly grantInBackground: boolean;
  readonly settle: SettleTimes;
  /** Who may intervene (spec/policy.md); undefined: no choice was made. */
  readonly policy?: Policy | undefined;
}

export interface View {
  readonly session: SessionView;
  readonly seatKind: SeatKind;
  readonly gate: Gate;
  readonly lifecycleOwed: boolean;
  readonly mode: { readonly desired: GuardMode; readonly effective: GuardMode };
  readonly holder: Holder;
  readonly status: StatusView;
  readonly signal: number;
  readonly statusSource: string;
  readonly background: 'none' | 'shell' | 'agents';
  readonly evidence: IdleEvidence;
  readonly presence: Presence;
  readonly ledger: 'empty' | 'draft';
  /** Offset of all bytes received from the PTY. */
  readonly receivedOffset: number;
  readonly reading: ReadingView | undefined;
  /** Since when every reading has said empty and no signal has come; undefined if the last one says otherwise. */
  readonly emptySinceAt: number | undefined;
  readonly foreground: ForegroundView;
  readonly bracketedPaste: boolean;
  /** Kitty keyboard flags of the program. */
  readonly kittyFlags: number;
  readonly termios: TermiosView;
  readonly settings: Settings;
}

/** A seat without a session and with every setting at its default. */
export const EMPTY_VIEW: View = {
  session: { kind: 'missing' },
  seatKind: { kind: 'agent' },
  gate: 'open',
  lifecycleOwed: false,
  mode: { desired: 'off', effective: 'off' },
  holder: { kind: 'free' },
  status: { state: 'unknown', cause: 'starting' },
  signal: 0,
  statusSource: 'none',
  background: 'none',
  evidence: { kind: 'fresh' },
  presence: { lastKeyAt: undefined, composingUntilAt: undefined },
  ledger: 'empty',
  receivedOffset: 0,
  reading: undefined,
  emptySinceAt: undefined,
  foreground: { kind: 'unread' },
  bracketedPaste: false,
  kittyFlags: 0,
  termios: { kind: 'unread' },
  settings: {
    humanQuietMs: HUMAN_QUIET_MS,
    confirmMs: CONFIRM_MS,
    grantInBackground: false,
    settle: {
      minMs: SETTLE_MIN_MS,
      largeMinMs: SETTLE_LARGE_MIN_MS,
      largeBytes: SETTLE_LARGE_BYTES,
      quietMs: SETTLE_QUIET_MS,
      maxMs: SETTLE_MAX_MS,
    },
  },
};

/** The reading if it is current, else undefined: an old reading proves nothing. */
export function currentReading(view: View): ReadingView | undefined {
  return view.reading !== undefined && view.reading.offset === view.receivedOffset ? view.reading : undefined;
}

/** The dialog on the screen as far as a current reading knows. */
export function openDialog(view: View): DialogView | undefined {
  return currentReading(view)?.dialog;
}
