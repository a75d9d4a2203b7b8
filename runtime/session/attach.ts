// One attach, decided and done in one synchronous turn: takeover, size, notice, gap, and a cursor from which the client
// reads. Always true: the notice is the first frame; where the replay ends, live output begins, with nothing lost or
// doubled between. A snapshot comes later, but its offset and the client's start are again one turn.

import { EXTERNALISE_WITH } from '../../protocol/admin.js';
import type { CloseCode } from '../../protocol/close-code.js';
import type { AttachNotice, ServerFrame } from '../../protocol/frame.js';
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
/** History that follows an operator into a new session: a screenful or two of how it began. */
const FOLLOWED_LINES = 200;

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
    const opening: ServerFrame[] = [notice(session, client, plan.from)];
    if (plan.gapBytes !== undefined) opening.push({ v: 1, type: 'gap', bytes_dropped: plan.gapBytes });
    client.start(opening, plan.from);
    session.watcher.joined(client);
  } else void paint(session, client, request.snapshotLines, SNAPSHOT_TRIES);
  return { kind: 'attached', client, preempted: preempted === 'taken' };
}

/** First paint of a client that has come from another session. */
export function paintFor(session: Session, client: Client): void {
  void paint(session, client, FOLLOWED_LINES, SNAPSHOT_TRIES);
}

function notice(session: Session, client: Client, from: number): AttachNotice {
  const { ring, size, generation, spec } = session;
  return {
    v: 1,
    type: 'attach-notice',
    stream_offset: ring.end,
    replay_from: from,
    replay_bytes: ring.end - from,
    ephemeral_workspace: true,
    teardown_best_effort: true,
    externalise_with: EXTERNALISE_WITH,
    mode: client.identity.mode,
    rows: size.rows,
    cols: size.cols,
    generation,
    seat: spec.name,
  };
}

async function paint(session: Session, client: Client, lines: number, tries: number): Promise<void> {
  const { ring, screen } = session;
  // The last try reads nothing more from the child until the snapshot is there.
  const hold = tries === 1 ? session.holdOutput() : undefined;
  try {
    // What only the mode tracker knows, as it stands at the snapshot's offset.
    const modes = session.scanner.beyondScreen();
    const { offset, rows, cols, bytes } = await screen.snapshot(lines);
    if (!client.open) return;
    if (offset < ring.start && tries > 1) return await paint(session, client, lines, tries - 1);
    const from = Math.max(offset, ring.start);
    const painting = Buffer.concat([bytes, modes]);
    const opening: ServerFrame[] = [notice(session, client, from)];
    if (from > offset) opening.push({ v: 1, type: 'gap', bytes_dropped: from - offset });
    opening.push({ v: 1, type: 'snapshot', stream_offset: offset, rows, cols, bytes: painting.length });
    client.start(opening, from, painting);
  } catch {
    // Without a model there is still the ring: the client draws what it holds.
    client.start(
      [notice(session, client, ring.start), { v: 1, type: 'gap', bytes_dropped: ring.start }],
      ring.start,
    );
  } finally {
    hold?.();
  }
  if (client.open) session.watcher.joined(client);
}
