// What one operator sends, on its way to the PTY: classified, replies and focus taken out, the rest to the writer in the
// same turn. Always true: a key never waits; bytes keep their order; a viewer has none of these.
import type { Client } from './client.js';
import type { Session } from './session.js';

export class OperatorInput {
  constructor(
    readonly session: Session,
    readonly client: Client,
  ) {}

  push(bytes: Uint8Array): boolean {
    this.session.lastActivityAt = this.client.activeAt = this.session.port.clock.now();
    return this.session.writer.operator(this.client.identity.id, bytes, false);
  }

  composing(_active: boolean): void {}

  close(): void {}
}
