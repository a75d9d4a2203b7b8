// OSC 9;4, the progress bar that ConEmu began: `4;STATE;PERCENT`. Always true: an unknown state is refused; a percentage
// that isn't 0..100 is absent, because programs send `;;` and `-1` with the indeterminate state. Any program prints it
// (wget does), so it counts only by a pack's rule.

export const PROGRESS_STATES = ['none', 'normal', 'error', 'indeterminate', 'paused'] as const;
export type ProgressState = (typeof PROGRESS_STATES)[number];

export type Progress =
  | { readonly type: 'progress'; readonly state: ProgressState; readonly percent?: number }
  | { readonly type: 'refused'; readonly reason: 'progress_too_long' | 'progress_state_unknown' };

/** Longest body read: `4;1;100` and some room for empty fields. */
export const PROGRESS_BYTES = 32;

/** Whether a body of OSC 9 is a progress report and not a notification. */
export function isProgress(body: string): boolean {
  return body === '4' || body.startsWith('4;');
}

/** Reads a body of OSC 9 for which `isProgress` holds. */
export function parseProgressReport(body: string): Progress {
  if (body.length > PROGRESS_BYTES) return { type: 'refused', reason: 'progress_too_long' };
  const [, digit = '', spelled = ''] = body.split(';');
  const state = /^[0-4]$/.test(digit) ? PROGRESS_STATES[Number(digit)] : undefined;
  if (state === undefined) return { type: 'refused', reason: 'progress_state_unknown' };
  const percent = /^[0-9]{1,3}$/.test(spelled) && Number(spelled) <= 100 ? Number(spelled) : undefined;
  return percent === undefined ? { type: 'progress', state } : { type: 'progress', state, percent };
}
