// What a client does when a connection ends: go on by itself, get a new token, or stop and say why. Pure; the table of
// spec/sdk.md 4 is this file. A code that isn't known is final: nothing is retried that nobody understood.
import { CLOSE_CODES, isCloseCode } from '../../protocol/close-code.js';
import { errorOfStatus, SdkError } from './error.js';
import type { Refusal } from './socket.js';

/** `first`: never attached. `resuming`: dialled again and not attached yet. `attached`: the notice has come. */
export type Phase = 'first' | 'resuming' | 'attached';

export type Ending =
  | { readonly kind: 'resume' }
  | { readonly kind: 'new-token' }
  | { readonly kind: 'final'; readonly error: SdkError };

/** Connections that broke, or a peer that asks to come back: 4005 means behind, not unwelcome. */
const RESUMED = new Set([1001, 1005, 1006, 1011, 1012, 1013, 1014, 4005]);

/** The sentence and next step of a close code. */
export function closeMeaning(code: number, reason: string): { text: string; next: string } {
  if (isCloseCode(code)) return CLOSE_CODES[code];
  if (RESUMED.has(code)) return { text: 'the connection was lost', next: 'Attach again.' };
  return { text: reason === '' ? `closed with code ${code}` : reason, next: '' };
}

export function judgeClose(code: number, reason: string, phase: Phase): Ending {
  if (phase !== 'first' && RESUMED.has(code)) return { kind: 'resume' };
  // Resuming may spend the takeover budget on one's own half-open predecessor; that heals by waiting.
  if (phase === 'resuming' && code === 4007) return { kind: 'resume' };
  const { text, next } = closeMeaning(code, reason);
  const why = RESUMED.has(code) ? 'connection_lost' : phase === 'attached' ? 'closed' : 'attach_refused';
  return { kind: 'final', error: new SdkError({ reason: why, message: text, next }) };
}

/** `renewable`: a new token can be had and none was asked for since the last attach. */
export function judgeRefusal(refusal: Refusal, phase: Phase, renewable: boolean): Ending {
  const { status } = refusal;
  if (phase !== 'first') {
    if (status === 401 && renewable) return { kind: 'new-token' };
    if (status === undefined || status === 429 || status >= 500) return { kind: 'resume' };
  }
  if (status !== undefined) return { kind: 'final', error: errorOfStatus(status, undefined) };
  const error = new SdkError({
    reason: 'unreachable',
    message: `the server was not reached: ${refusal.message}`,
    next: 'Check the address, and that the server runs (openfloor up).',
  });
  return { kind: 'final', error };
}
