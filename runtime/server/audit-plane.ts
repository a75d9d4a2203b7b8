// The audit feed over a WebSocket: everything after a cursor, then live, no gap and no duplicate. Always true: a reader gets
// records in the order of the chain; one that falls behind is closed 4005 and resumes from its cursor.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { AuditFeed, AuditRecord } from '../journal/port.js';
import { type Encoded, encodeAs, MessageSocket } from './message-socket.js';

export interface AuditReader {
  readonly after: number;
  readonly format: 'msgpack' | 'json';
  /** What this reader may see. */
  readonly sees: (record: AuditRecord) => boolean;
}

/** Records read from the store in one turn. */
const PAGE = 500;

/** A record is encoded once for all who follow live, and forgotten with it. */
const encoded = { msgpack: new WeakMap<AuditRecord, Encoded>(), json: new WeakMap<AuditRecord, Encoded>() };

function encodedRecord(record: AuditRecord, format: AuditReader['format']): Encoded {
  const known = encoded[format].get(record);
  if (known !== undefined) return known;
  const data = encodeAs(format, { type: 'record', ...record });
  encoded[format].set(record, data);
  return data;
}

/** `raw` is the connection that the WebSocket speaks over: what is told together leaves in one system call. */
export function serveAudit(socket: WebSocket, raw: Duplex, feed: AuditFeed, reader: AuditReader): void {
  const out = new MessageSocket(socket, reader.format);
  let sent = reader.after;
  const give = (records: readonly AuditRecord[]): boolean => {
    raw.cork();
    try {
      return records.every((record) => {
        if (record.seq <= sent) return true;
        sent = record.seq;
        return !reader.sees(record) || out.sendEncoded(encodedRecord(record, reader.format));
      });
    } finally {
      raw.uncork();
    }
  };
  let caughtUp = false;
  const subscription = feed.subscribe((records) => {
    if (caughtUp) give(records);
  });
  socket.on('close', () => subscription.close());
  const next = () => {
    if (!out.open) return;
    const page = feed.page(sent, {}, PAGE);
    if (!give(page)) return;
    // Nothing can be committed between this page and the flag: both are one turn.
    if (page.length < PAGE) caughtUp = true;
    else setImmediate(next);
  };
  next();
}
