// What an operator's bytes are, once read: the segments of one attach stream, in order. Always true: a key is never
// dropped; only replies and focus reports are, since the runtime gives both itself. It says nothing about who may type.

/**
 * What a key does, as far as the floor cares. `enter`, `escape`, `interrupt`: unmodified Enter and Esc, Ctrl-C, in any
 * encoding. `scroll`: page up and down. `function`: F keys, lone modifiers and locks. `release`: a kitty release event.
 * `text`: printable. `edit`: everything else, such as arrows, Tab, Backspace, Ctrl and Alt combinations.
 */
export type KeyClass =
  | 'text'
  | 'enter'
  | 'escape'
  | 'interrupt'
  | 'scroll'
  | 'function'
  /** Only ever takes text away. */
  | 'erase'
  | 'edit'
  | 'release';

/** `other`: a complete string that is no reply and no key, such as a notification's activation report. */
export type SegmentKind =
  | 'key'
  | 'paste-start'
  | 'paste'
  | 'paste-end'
  | 'pointer'
  | 'motion'
  | 'focus-in'
  | 'focus-out'
  | 'reply'
  | 'other';

export interface Segment {
  readonly kind: SegmentKind;
  /** A view, valid during the turn: copy what is kept. */
  readonly bytes: Uint8Array;
  /** True when these bytes go to the program. */
  readonly passes: boolean;
  /** Present exactly for `kind: 'key'`. */
  readonly key?: KeyClass;
}

/** What a segment says of its person (floor.md 3): a keystroke, some activity, or nothing. */
export function presenceOf(segment: Segment): 'keystroke' | 'activity' | 'none' {
  switch (segment.kind) {
    case 'key':
      return segment.key === 'release' ? 'none' : 'keystroke';
    case 'paste-start':
    case 'paste':
    case 'paste-end':
      return 'keystroke';
    case 'pointer':
      return 'activity';
    default:
      return 'none';
  }
}

/** The bytes of these segments that go to the program, in one piece; empty when none does. */
export function passingBytes(segments: readonly Segment[]): Uint8Array {
  const passing = segments.filter((segment) => segment.passes);
  if (passing.length === 1) return (passing[0] as Segment).bytes;
  const whole = new Uint8Array(passing.reduce((total, segment) => total + segment.bytes.length, 0));
  let at = 0;
  for (const { bytes } of passing) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}
