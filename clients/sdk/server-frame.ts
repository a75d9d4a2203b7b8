// Server text frames as a client reads them. Always true: fields of another type make the frame unknown, extra fields are
// kept, and a frame of an unknown type is an `other` frame, so that a newer runtime breaks no client. An attach-notice of
// an older runtime, without our additions, is a notice too. No schema library: clients start fast and stay small.
import type { AttachMode, ExitFrame, Gap, SnapshotFrame } from '../../protocol/frame.js';

/** First frame of an attach; what an older runtime doesn't tell is undefined. */
export interface Notice {
  readonly stream_offset: number;
  readonly replay_from: number | undefined;
  readonly replay_bytes: number | undefined;
  readonly ephemeral_workspace: boolean;
  readonly teardown_best_effort: boolean;
  readonly externalise_with: string;
  readonly mode: AttachMode | undefined;
  readonly rows: number | undefined;
  readonly cols: number | undefined;
  readonly generation: number | undefined;
  readonly seat: string | undefined;
}
export type SnapshotNotice = Omit<SnapshotFrame, 'v' | 'type'>;

/** A text frame as it came: `status`, `presence`, `injection` and whatever else a newer runtime sends. */
export interface OtherFrame {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type ReadFrame =
  | { readonly kind: 'attach-notice'; readonly notice: Notice }
  | { readonly kind: 'gap'; readonly frame: Pick<Gap, 'bytes_dropped'> }
  | { readonly kind: 'snapshot'; readonly frame: SnapshotNotice }
  | { readonly kind: 'size'; readonly frame: { readonly rows: number; readonly cols: number } }
  | { readonly kind: 'exit'; readonly frame: Pick<ExitFrame, 'code' | 'signal'> }
  | { readonly kind: 'pong' }
  | { readonly kind: 'other'; readonly frame: OtherFrame };

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isMode = (value: unknown): value is AttachMode =>
  value === 'take' || value === 'join' || value === 'view';
const countOr = (value: unknown): number | undefined => (isCount(value) ? value : undefined);
const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function readNotice(frame: OtherFrame): ReadFrame | undefined {
  const { stream_offset, replay_from } = frame;
  if (!isCount(stream_offset)) return undefined;
  if (replay_from !== undefined && !isCount(replay_from)) return undefined;
  const notice: Notice = {
    stream_offset,
    replay_from,
    replay_bytes: countOr(frame.replay_bytes),
    ephemeral_workspace: frame.ephemeral_workspace === true,
    teardown_best_effort: frame.teardown_best_effort === true,
    externalise_with: textOr(frame.externalise_with) ?? '',
    mode: isMode(frame.mode) ? frame.mode : undefined,
    rows: countOr(frame.rows),
    cols: countOr(frame.cols),
    generation: countOr(frame.generation),
    seat: textOr(frame.seat),
  };
  return { kind: 'attach-notice', notice };
}

function readExit(frame: OtherFrame): ReadFrame | undefined {
  const { code = null, signal = null } = frame;
  if (code !== null && !Number.isSafeInteger(code)) return undefined;
  if (signal !== null && typeof signal !== 'string') return undefined;
  return { kind: 'exit', frame: { code: code as number | null, signal } };
}

function readKnown(frame: OtherFrame): ReadFrame | undefined {
  const { rows, cols } = frame;
  switch (frame.type) {
    case 'attach-notice':
      return readNotice(frame);
    case 'gap':
      return isCount(frame.bytes_dropped)
        ? { kind: 'gap', frame: { bytes_dropped: frame.bytes_dropped } }
        : undefined;
    case 'snapshot': {
      const { stream_offset, bytes } = frame;
      if (!isCount(stream_offset) || !isCount(bytes) || !isCount(rows) || !isCount(cols)) return undefined;
      return { kind: 'snapshot', frame: { stream_offset, bytes, rows, cols } };
    }
    case 'size':
      return isCount(rows) && isCount(cols) ? { kind: 'size', frame: { rows, cols } } : undefined;
    case 'exit':
      return readExit(frame);
    case 'pong':
      return { kind: 'pong' };
    default:
      return { kind: 'other', frame };
  }
}

/** One server frame, or undefined for text that is no frame of version 1: a client ignores it. */
export function readServerFrame(text: string): ReadFrame | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const frame = value as Record<string, unknown>;
  if (frame.v !== 1 || typeof frame.type !== 'string') return undefined;
  return readKnown(frame as OtherFrame);
}
