// Attached clients follow a seat from one session to another, on the sockets they have. Always true: a client is in one
// audience at a time; each hears first that the seat was handed over, then reads the new stream from a snapshot; what it
// types after that goes to the new session alone. Clients that are being closed stay behind.
import type { ServerFrame } from '../../protocol/frame.js';
import { paintFor } from './attach.js';
import type { Client } from './client.js';
import type { Session } from './session.js';

/** Moves everybody who is attached; how many. `told` is the last frame of the old stream. */
export function follow(from: Session, to: Session, told: ServerFrame): number {
  const moving = [...from.audience].filter((client) => client.open);
  from.audience.flush();
  for (const client of moving) {
    client.send(told);
    from.audience.release(client);
    from.writer.left(client.identity.id);
    from.watcher.left(client);
    enter(to, client);
  }
  return moving.length;
}

function enter(to: Session, client: Client): void {
  client.redirect(to.ring, { now: to.port.clock.now, drained: to.drained });
  to.audience.add(client);
  if (client.focused) to.audience.focus(client, true);
  client.moved(to);
  paintFor(to, client);
}
