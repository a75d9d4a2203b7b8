// The floor plane: automation asks here, hears decisions and outcomes, and watches seats. Always true: a request is the
// credential's own; a lost socket withdraws nothing; a message that is none is answered with an error and changes nothing.
import type { RawData, WebSocket } from 'ws';
import { decodeFrame } from '../../protocol/codec.js';
import {
  type FloorClientMessage,
  type FloorRequest,
  type FloorServerMessage,
  readFloorMessage,
} from '../../protocol/floor-plane.js';
import { formatAddress, parseAddress } from '../../protocol/name.js';
import { REASONS, type Reason, sentence } from '../../protocol/reason.js';
import type { Request, RequestInput } from '../floor/request.js';
import type { Credential, Outbox } from '../journal/port.js';
import type { Seat, SeatBook } from '../seats/seat-book.js';
import { identityOf, type SubmissionEvent, type Submissions } from '../seats/submissions.js';
import { identityText } from '../session/floor-ledger.js';
import { MessageSocket } from './message-socket.js';
import { compactVerb } from './policy-routes.js';
import { maySee } from './seat-routes.js';
import { underEnvelope } from './send.js';

export interface FloorPlanePort {
  readonly book: SeatBook;
  readonly submissions: Submissions;
  readonly outbox: Pick<Outbox, 'byKey'>;
}

export function serveFloor(socket: WebSocket, credential: Credential, port: FloorPlanePort): void {
  new FloorConnection(new MessageSocket(socket, 'msgpack'), credential, port).listen(socket);
}

class FloorConnection {
  readonly #watched = new Set<string>();
  #all = false;
  readonly #stops = new Map<string, () => void>();

  constructor(
    readonly out: MessageSocket,
    readonly credential: Credential,
    readonly port: FloorPlanePort,
  ) {}

  listen(socket: WebSocket): void {
    const unlisten = this.port.book.listen((seat, change) => {
      if (!this.#all && !this.#watched.has(seat.address)) return;
      if (!maySee(this.credential, seat.address)) return;
      if (change.kind === 'status') this.#status(seat);
      else if (change.kind === 'presence') this.#presence(seat);
      else if (change.kind === 'ended') this.#send({ type: 'ended', seat: seat.address });
    });
    socket.on('message', (data: RawData) => this.#message(data as Buffer));
    socket.on('close', () => {
      unlisten();
      for (const stop of this.#stops.values()) stop();
    });
  }

  #message(data: Buffer): void {
    const decoded = decodeFrame(data);
    if (!decoded.ok) return this.#error(undefined, decoded.reason, decoded.text, 'Send one MessagePack map.');
    const message = readFloorMessage(decoded.value);
    if (message === undefined) {
      const { ref } = decoded.value;
      const known = typeof ref === 'number' ? ref : undefined;
      return this.#error(
        known,
        'invalid_request',
        'This is no message of the floor plane.',
        'See spec/floor-plane.md.',
      );
    }
    if (message.type === 'ping') return this.#send({ type: 'pong', ...refOf(message) });
    if (message.type === 'watch') return this.#watch(message);
    const seat = this.#seat(message.seat);
    if (seat === undefined) return this.#refuse(message.ref, 'seat_not_found');
    if (message.type === 'withdraw') {
      const reason = message.superseded ? 'draft_wake_superseded' : 'withdrawn';
      const answer = this.port.submissions.withdraw(seat, message.id, reason);
      return this.#send({ type: 'withdrawn', ...refOf(message), id: message.id, answer });
    }
    const input = inputOf(message, this.credential);
    // Whoever isn't an operator types of lifecycle only what the pack's own verb is.
    if (input.intervention !== undefined && input.body !== compactVerb(seat))
      return this.#refuse(message.ref, 'lifecycle_verb_unsupported');
    this.out.after(() => this.#submit(seat, message.ref, input));
  }

  #submit(seat: Seat, ref: number | undefined, input: RequestInput): void {
    if (this.credential.kind === 'auditor') return this.#refuse(ref, 'credential_kind');
    const submitted = this.port.submissions.submit(seat, input, this.credential, (event) =>
      this.#follow(event, ref),
    );
    if (submitted.kind === 'refused') this.#refuse(ref, submitted.reason, submitted.field);
    else if (submitted.kind === 'submitted') this.#stops.set(submitted.id, submitted.stop);
    else {
      const { state, confirmed, reason, bytesWritten } = submitted.ending;
      const { id } = submitted;
      this.#send({
        type: 'outcome',
        ...refOf({ ref }),
        id,
        outbox_id: id,
        state,
        confirmed,
        reason,
        bytes_written: bytesWritten,
      });
    }
  }

  #follow(event: SubmissionEvent, ref: number | undefined): void {
    const { id, seat, idempotencyKey } = event.request;
    switch (event.kind) {
      case 'accepted':
        return this.#send({
          type: 'accepted',
          ...refOf({ ref }),
          id,
          seat,
          ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
        });
      case 'decision':
        return this.#send({
          type: 'decision',
          id,
          decision: event.wait ? 'wait' : 'grant',
          reason: event.wait?.reason ?? 'granted',
          ...(event.wait?.cause ? { cause: event.wait.cause } : {}),
          since: event.wait ? new Date(event.wait.sinceAt).toISOString() : null,
        });
      case 'outcome': {
        const { state, confirmed, reason, cause, bytesWritten } = event.ending;
        this.#send({
          type: 'outcome',
          ...refOf({ ref }),
          id,
          outbox_id: id,
          state,
          confirmed,
          reason,
          ...(cause === undefined ? {} : { cause }),
          bytes_written: bytesWritten,
        });
        if (state !== 'complete' || confirmed) this.#done(id);
        return;
      }
      case 'confirmed':
        this.#send({
          type: 'outcome',
          id,
          outbox_id: id,
          state: 'complete',
          confirmed: true,
          reason: 'confirmed_late',
          bytes_written: event.request.bodyBytes,
        });
        return this.#done(id);
    }
  }

  #done(id: string): void {
    this.#stops.get(id)?.();
    this.#stops.delete(id);
  }

  #watch({ ref, seats, requests }: Extract<FloorClientMessage, { type: 'watch' }>): void {
    for (const name of seats ?? []) {
      if (name === '*') {
        this.#all = true;
        for (const seat of this.port.book.occupied())
          if (maySee(this.credential, seat.address)) this.#greet(seat);
        continue;
      }
      const seat = this.#seat(name);
      if (seat === undefined || !maySee(this.credential, seat.address)) {
        this.#refuse(ref, 'seat_not_found');
        continue;
      }
      this.#watched.add(seat.address);
      this.#greet(seat);
    }
    for (const { seat: name, idempotency_key } of requests ?? []) this.#resume(ref, name, idempotency_key);
  }

  /** A request of this credential's own, by its key: followed while it is open, told when it is over. */
  #resume(ref: number | undefined, name: string, key: string): void {
    const seat = this.#seat(name);
    if (seat === undefined) return this.#refuse(ref, 'request_not_found');
    const mine = identityText(identityOf(this.credential));
    const request = openRequests(seat).find(
      (one) => one.idempotencyKey === key && identityText(one.identity) === mine,
    );
    if (request !== undefined) {
      const { id } = request;
      this.#stops.get(id)?.();
      this.#stops.set(
        id,
        this.port.submissions.follow(id, (event) => this.#follow(event, undefined)),
      );
      return this.#send({
        type: 'accepted',
        ...refOf({ ref }),
        id,
        seat: request.seat,
        idempotency_key: key,
      });
    }
    const row = this.port.outbox.byKey(seat.address, key);
    if (row === undefined || row.identity !== mine || row.state === 'waiting' || row.state === 'sending') {
      return this.#refuse(ref, 'request_not_found');
    }
    this.#send({
      type: 'outcome',
      ...refOf({ ref }),
      id: row.id,
      outbox_id: row.id,
      state: row.state,
      confirmed: row.confirmed === true,
      reason: row.reason ?? 'internal',
      bytes_written: row.bytesWritten,
    });
  }

  #greet(seat: Seat): void {
    this.#status(seat);
    this.#presence(seat);
  }

  #status(seat: Seat): void {
    const { occupant } = seat;
    if (occupant === undefined) return this.#send({ type: 'ended', seat: seat.address });
    this.#send({
      type: 'status',
      seat: seat.address,
      generation: occupant.session.generation,
      ...occupant.statusValue(),
    });
  }

  #presence(seat: Seat): void {
    if (seat.occupant) this.#send({ type: 'presence', seat: seat.address, ...seat.occupant.presenceValue() });
  }

  #seat(name: string): Seat | undefined {
    const address = parseAddress(name);
    const seat = address && this.port.book.get(formatAddress(address));
    // Agents write to each other; a credential that is limited to seats reaches those alone.
    if (seat === undefined || (this.credential.kind !== 'agent' && !maySee(this.credential, seat.address)))
      return undefined;
    return seat;
  }

  #refuse(ref: number | undefined, reason: Reason, field?: string): void {
    const error = field === undefined ? sentence(reason) : `${sentence(reason)} (${field})`;
    this.#error(ref, reason, error, REASONS[reason].next);
  }

  #error(ref: number | undefined, reason: string, error: string, next: string): void {
    this.#send({ type: 'error', ...refOf({ ref }), reason, error, next });
  }

  #send(message: FloorServerMessage): void {
    this.out.send(message);
  }
}

/** What waits, and what is being typed. */
function openRequests({ floor }: Seat): Request[] {
  const waiting = [...(floor?.floor.waiting() ?? [])].map(({ request }) => request);
  const typed = floor?.floor.transaction?.plan.request;
  return typed ? [...waiting, typed] : waiting;
}

function refOf({ ref }: { readonly ref?: number | undefined }): { readonly ref?: number } {
  return ref === undefined ? {} : { ref };
}

function inputOf(
  message: FloorRequest | Extract<FloorClientMessage, { type: 'answer' }>,
  credential: Credential,
): RequestInput {
  if (message.type === 'answer') {
    const { dialog, choice, expect_generation } = message;
    return {
      origin: 'answer',
      dialog,
      choice,
      ...(expect_generation === undefined ? {} : { expect_generation }),
    };
  }
  const { type: _type, ref: _ref, seat: _seat, raw: _raw, body, ...rest } = message;
  if (message.origin !== 'lifecycle') return { ...rest, body: underEnvelope(body, credential, message) };
  return { ...rest, body, ...(credential.kind === 'admin' ? {} : { intervention: 'compaction' }) };
}
