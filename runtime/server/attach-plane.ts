// One attached WebSocket: its messages become input, control or signs of life, its end becomes a leave. Always true: a
// message is handled in the turn in which it came; malformed and oversize frames have no effect besides their count; a
// client that has left can do nothing any more. Order and limits: attach contract 1.7.
import type { RawData, WebSocket } from 'ws';
import type { CloseCode } from '../../protocol/close-code.js';
import { parseClientFrame } from '../../protocol/frame.js';
import { CONTROL_FRAME_BYTES, INPUT_FRAME_BYTES, MALFORMED_FRAMES } from '../../protocol/limit.js';
import type { LeaveReason } from '../session/audience.js';
import type { Client } from '../session/client.js';
import { OperatorInput } from '../session/operator-input.js';
import type { Session } from '../session/session.js';

export interface AbuseCounters {
  malformed_frames: number;
  oversize_frames: number;
  input_backpressure_disconnects: number;
  viewer_input_frames: number;
}

/** `viewerTyped` is called once, for a viewer's first input. */
export function serveClient(
  socket: WebSocket,
  attached: Session,
  client: Client,
  abuse: AbuseCounters,
  viewerTyped: () => void,
): void {
  let session = attached;
  let input = new OperatorInput(session, client);
  let typed = false;
  client.moved = (to) => {
    input.close();
    session = to;
    input = new OperatorInput(to, client);
  };

  const end = (code: CloseCode, why: LeaveReason) => {
    client.cut(code);
    session.audience.remove(client, why);
    input.close();
  };

  const control = (text: string) => {
    const frame = parseClientFrame(text);
    if ('malformed' in frame) {
      abuse.malformed_frames++;
      if (++client.malformedFrames >= MALFORMED_FRAMES) end(1008, 'frame_abuse_disconnect');
      return;
    }
    switch (frame.type) {
      case 'resize':
        client.size = { rows: frame.rows, cols: frame.cols };
        client.activeAt = session.port.clock.now();
        session.audience.elect();
        return;
      case 'ping':
        client.pongSeen = true;
        client.send({ v: 1, type: 'pong' });
        session.lastActivityAt = session.port.clock.now();
        return;
      case 'detach':
        return end(1000, 'client_detach');
      case 'composing':
        return input.composing(frame.active);
    }
  };

  socket.on('message', (data: RawData, binary: boolean) => {
    if (!session.audience.has(client)) return;
    const bytes = data as Buffer;
    if (bytes.length > (binary ? INPUT_FRAME_BYTES : CONTROL_FRAME_BYTES)) {
      abuse.oversize_frames++;
      end(1008, 'frame_abuse_disconnect');
    } else if (!binary) control(bytes.toString('utf8'));
    else if (client.identity.mode === 'view') {
      abuse.viewer_input_frames++;
      if (!typed) viewerTyped();
      typed = true;
    } else if (!input.push(bytes)) {
      abuse.input_backpressure_disconnects++;
      end(4007, 'input_backpressure_disconnect');
    }
  });
  const alive = () => {
    client.pongSeen = true;
    session.lastActivityAt = session.port.clock.now();
  };
  socket.on('ping', alive);
  socket.on('pong', alive);
  socket.on('error', () => {});
  socket.on('close', () => {
    input.close();
    session.audience.remove(client, 'socket_closed');
  });
}
