// WebSocket close codes of the attach, floor and audit planes: a closed list, as in spec/attach.md (attach contract 1.9).
// Each has the sentence sent as close reason and what a person can do.

export const CLOSE_CODES = {
  1000: { text: 'closed', next: 'Attach again whenever you like; the session goes on.' },
  1008: { text: 'protocol violation', next: 'The client sent malformed or oversize frames; update it.' },
  1009: { text: 'message too big', next: 'Send input in frames of at most 65536 bytes.' },
  4001: { text: 'session expired', next: 'Create the session again, or raise its time to live.' },
  4002: { text: 'another connection took over', next: 'Attach with --take to take it back, or join it.' },
  4003: { text: 'attach token renewed', next: 'Attach with the new token.' },
  4004: { text: 'session ended', next: 'Restart the session.' },
  4005: {
    text: 'client could not keep up',
    next: 'Attach again with the last offset; nothing is lost that the ring holds.',
  },
  4006: { text: 'runtime replaced; ephemeral workspace was reset', next: 'Create the session again.' },
  4007: { text: 'capacity or admission bound reached', next: 'Wait a moment, then attach again.' },
  4008: { text: 'session killed by an operator', next: 'Restart or create the session.' },
  4009: { text: 'runtime error: not retryable by re-creating', next: 'Look at the log of the runtime.' },
} as const;

export type CloseCode = keyof typeof CLOSE_CODES;

/** The sentence of a refusal after the upgrade, the only frame of the connection. */
export const ATTACH_REFUSED = 'attach refused';

export function isCloseCode(code: number): code is CloseCode {
  return code in CLOSE_CODES;
}
