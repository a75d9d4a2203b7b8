// One attach, decided and done in one synchronous turn: takeover, size, notice, gap, and a cursor from which the client
// reads. Always true: the notice is the first frame; where the replay ends, live output begins, with nothing lost or
// doubled between. A snapshot comes later, but its offset and the client's start are again one turn.

import { EXTERNALISE_WITH } from '../../protocol/admin.js';
import type { CloseCode } from '../../protocol/close-code.js';
import type { AttachMode } from '../../protocol/frame.js';
import { Client, type ClientIdentity, type ClientSocket } from './client.js';
import { planReplay } from './ring.js';
import type { Session } from './session.js';
import type { Size } from './size.js';

export interface AttachRequest {
  readonly identity: ClientIdentity;
  readonly generation: number;
  readonly since: bigint | undefined;
  readonly size: Size | undefined;
  /** First paint from the screen model, with this many lines of history; undefined: the ring's bytes. */
  readonly snapshotLines: number | undefined;
  /** Without `since`: everything that the ring holds. */
  readonly replayAll: boolean;
}

export type AttachResult =
  | { readonly kind: 'attached'; readonly client: Client; readonly preempted: boolean }
  | { readonly kind: 'refused'; readonly code: CloseCode };

/** Tries for a snapshot whose offset the ring still holds: a flood may outrun it once, not for ever. */
const SNAPSHOT_TRIES = 3;

export function attach(session: Session, request: AttachRequest, socket: ClientSocket): AttachResult {
  if (session.exit !== undefined) return { kind: 'refused', code: 4004 };
  if (request.generation !== session.generation) return { kind: 'refused', code: 4003 };
  const preempted = request.identity.mode === 'take' ? session.audience.takeOver() : 'free';
  if (preempted === 'refused') return { kind: 'refused', code: 4007 };
  const client = new Client(
    request.identity,
    socket,
    session.ring,
    { now: session.port.clock.now, drained: session.drained },
    request.size,
  );
  session.audience.add(client);
  const plan = planReplay(session.ring, request.since, request.replayAll);
  const contiguous = request.since !== undefined && plan.gapBytes === undefined;
  if (request.snapshotLines === undefined || contiguous) {
    notify(session, client, request.identity.mode, plan.from);
    if (plan.gapBytes !== undefined) client.send({ v: 1, type: 'gap', bytes_dropped: plan.gapBytes });
    client.start(plan.from, session.port.clock.now());
  } else void paint(session, client, request.snapshotLines, SNAPSHOT_TRIES);
  return { kind: 'attached', client, preempted: preempted === 'taken' };
}

function notify(session: Session, client: Client, mode: AttachMode, from: number): void {
  const { ring, size, generation, spec } = session;
  client.send({
    v: 1,
    type: 'attach-notice',
    stream_offset: ring.end,
    replay_from: from,
    replay_bytes: ring.end - from,
    ephemeral_workspace: true,
    teardown_best_effort: true,
    externalise_with: EXTERNALISE_WITH,
    mode,
    rows: size.rows,
    cols: size.cols,
    generation,
    seat: spec.name,
  });
}

async function paint(session: Session, client: Client, lines: number, tries: number): Promise<void> {
  const { ring, screen } = session;
  // The last try reads nothing more from the child until the snapshot is there.
  const hold = tries === 1 ? session.holdOutput() : undefined;
  try {
    // What only the mode tracker knows, as it stands at the snapshot's offset.
    const { kittyFlags, mouseEncoding } = session.scanner.modes;
    const snapshot = await screen.snapshot(lines);
    if (!client.open) return;
    if (snapshot.offset < ring.start && tries > 1) return await paint(session, client, lines, tries - 1);
    const from = Math.max(snapshot.offset, ring.start);
    notify(session, client, client.identity.mode, from);
    const { rows, cols } = snapshot;
    const bytes = Buffer.concat([snapshot.bytes, modeBytes(kittyFlags, mouseEncoding)]);
    const frame = {
      v: 1,
      type: 'snapshot',
      stream_offset: snapshot.offset,
      rows,
      cols,
      bytes: bytes.length,
    } as const;
    client.send(frame);
    client.socket.sendBytes(bytes, () => {});
    if (from > snapshot.offset) client.send({ v: 1, type: 'gap', bytes_dropped: from - snapshot.offset });
    client.start(from, session.port.clock.now());
  } catch {
    // Without a model there is still the ring: the client draws what it holds.
    if (!client.open) return;
    notify(session, client, client.identity.mode, ring.start);
    client.send({ v: 1, type: 'gap', bytes_dropped: ring.start });
    client.start(ring.start, session.port.clock.now());
  } finally {
    hold?.();
  }
}

/** Modes that the screen model doesn't keep: kitty keyboard flags, and the mouse encodings 1005 and 1015. */
function modeBytes(kittyFlags: number, mouseEncoding: string): Buffer {
  const mouse = mouseEncoding === 'utf8' ? '\x1b[?1005h' : mouseEncoding === 'urxvt' ? '\x1b[?1015h' : '';
  return Buffer.from(`${kittyFlags > 0 ? `\x1b[=${kittyFlags};1u` : ''}${mouse}`);
}
