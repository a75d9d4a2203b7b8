// Follows the audit feed: everything after a cursor, then live. Always true: records come in order, each once, also over
// lost connections, because every dial asks for what comes after the last one delivered; the events end with one `close`.
import type { AuditRecordValue } from '../../protocol/audit.js';
import { AUDIT_PROTOCOL } from '../../protocol/plane.js';
import { Emitter } from './emitter.js';
import { type LostEvent, type OverEvent, Plane, type PlaneOptions, type PlanePort } from './plane.js';

export interface AuditFollowEvents {
  record: AuditRecordValue;
  open: { readonly resumed: boolean };
  lost: LostEvent;
  close: OverEvent;
}

export class AuditFollow extends Emitter<AuditFollowEvents> {
  /** The end, whatever it was; never rejects. */
  readonly closed: Promise<OverEvent>;
  readonly #plane: Plane;
  #after: number;

  constructor(
    port: Omit<PlanePort, 'url' | 'protocol'> & { url: string },
    after: number,
    options: PlaneOptions,
  ) {
    super();
    this.#after = after;
    this.closed = this.once('close');
    this.#plane = new Plane(
      { ...port, protocol: AUDIT_PROTOCOL, url: () => `${port.url}?after=${this.#after}` },
      options,
      {
        open: (resumed) => this.emit('open', { resumed }),
        message: (message) => this.#message(message),
        lost: (event) => this.emit('lost', event),
        over: (event) => this.emit('close', event),
      },
    );
  }

  /** Sequence number of the last record delivered. */
  get after(): number {
    return this.#after;
  }

  close(): void {
    this.#plane.close();
  }

  #message({ type, ...record }: { readonly [key: string]: unknown }): void {
    const { seq } = record;
    if (type !== 'record' || typeof seq !== 'number' || seq <= this.#after) return;
    this.#after = seq;
    this.emit('record', record as unknown as AuditRecordValue);
  }
}
