// Where an attachment is in its session's byte stream. Always true: `offset` is the absolute offset of the next output
// byte; every binary frame counts except the one after a snapshot frame; a byte that was delivered is never delivered
// again. Pure; it opens nothing and knows no clock. Rules in spec/sdk.md 3.
import type { Notice, SnapshotNotice } from './server-frame.js';

/** What a notice means for an attachment that asked for `since`. */
export type NoticeMeaning =
  | { readonly kind: 'contiguous' }
  /** `bytes` were asked for and will never come; the stream goes on after them. */
  | { readonly kind: 'gap'; readonly from: number; readonly bytes: number }
  /** The offset was none of this stream's: it is a new one, which starts at `offset` for this client. */
  | { readonly kind: 'restarted'; readonly offset: number };

export type Chunk =
  | { readonly kind: 'output'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'snapshot'; readonly notice: SnapshotNotice; readonly bytes: Uint8Array }
  | { readonly kind: 'nothing' };

export class Cursor {
  #offset: number | undefined;
  #since: number | undefined;
  /** Dropped before the notice came: an old server tells an overflow of its queue first. */
  #early = 0;
  /** The notice said where the next bytes begin: gap frames before the first of them only repeat it. */
  #told = false;
  /** Bytes before this offset have been delivered on an earlier connection. */
  #skipUntil = 0;
  #snapshot: SnapshotNotice | undefined;
  #noticed = false;

  /** Offset of the next output byte; undefined before the first notice. */
  get offset(): number | undefined {
    return this.#offset;
  }

  /** A new connection, which asked for the bytes from `since` on, or for none that are past. */
  connect(since: number | undefined): void {
    this.#since = since;
    this.#early = 0;
    this.#told = false;
    this.#skipUntil = 0;
    this.#snapshot = undefined;
    this.#noticed = false;
  }

  notice(notice: Notice): NoticeMeaning {
    const since = this.#since;
    this.#noticed = true;
    this.#told = notice.replay_from !== undefined;
    if (since !== undefined && since > notice.stream_offset) {
      // An old server doesn't say where its replay starts; a restarted stream starts at 0 unless its ring has wrapped.
      const offset = notice.replay_from ?? 0;
      this.#offset = offset;
      return { kind: 'restarted', offset };
    }
    const start = notice.replay_from ?? (since ?? notice.stream_offset) + this.#early;
    this.#offset = start;
    if (since === undefined || start === since) return { kind: 'contiguous' };
    if (start < since) {
      this.#skipUntil = since;
      return { kind: 'contiguous' };
    }
    return { kind: 'gap', from: since, bytes: start - since };
  }

  /** Bytes lost now; 0 for a gap that was told with the notice. */
  gap(bytes: number): number {
    if (!this.#noticed) {
      this.#early += bytes;
      return 0;
    }
    if (this.#told) return 0;
    this.#offset = (this.#offset ?? 0) + bytes;
    return bytes;
  }

  /** The next binary frame draws the screen as of the frame's offset. */
  snapshot(notice: SnapshotNotice): void {
    this.#snapshot = notice;
  }

  /** A binary frame. Views into `bytes`, never copies. */
  binary(bytes: Uint8Array): Chunk {
    const notice = this.#snapshot;
    this.#told = false;
    if (notice !== undefined) {
      this.#snapshot = undefined;
      this.#offset = notice.stream_offset;
      return { kind: 'snapshot', notice, bytes };
    }
    const at = this.#offset ?? 0;
    this.#offset = at + bytes.length;
    const skip = Math.min(bytes.length, Math.max(0, this.#skipUntil - at));
    if (skip === bytes.length) return { kind: 'nothing' };
    return { kind: 'output', offset: at + skip, bytes: skip === 0 ? bytes : bytes.subarray(skip) };
  }
}
