// What the runtime writes into the audit feed about sessions, attachments and credentials. Always true: a record is made
// from facts that hold no secret and no keystroke; these are notes, so a store that is away never stops an operator.
import type { AuditEntry, Credential, Journal } from '../journal/port.js';
import type { SessionEvent } from '../session/registry.js';
import type { Session } from '../session/session.js';
import type { UpgradeEvent } from './upgrade.js';

type Facts = Omit<AuditEntry, 'at' | 'kind'>;

export class Records {
  constructor(
    readonly journal: Pick<Journal, 'note'>,
    readonly now: () => number,
  ) {}

  readonly session = (event: SessionEvent): void => {
    const { session } = event;
    switch (event.kind) {
      case 'created':
      case 'renewed':
      case 'restarted':
        return this.#note(`session.${event.kind}`, session, {});
      case 'ended': {
        const { ending, report } = event;
        const { exit } = session;
        const detail = {
          survivors: report.survivors.length,
          elapsed_ms: Math.round(report.elapsedMs),
          exit_code: exit?.code ?? null,
          exit_signal: exit?.signal ?? null,
        };
        return this.#note('session.ended', session, { reason: ending, detail });
      }
      case 'left': {
        const { identity } = event.client;
        return this.#note('detach', session, {
          identity: identity.fingerprint,
          reason: event.why,
          detail: { source: identity.source, mode: identity.mode },
        });
      }
    }
  };

  readonly upgrade = (event: UpgradeEvent): void => {
    if (event.kind === 'refused') {
      const { reason, name, source } = event;
      // The name is what the caller wrote: it is none of a session before it has been let in.
      return this.#write('attach', {
        outcome: 'refused',
        reason,
        detail: { source, name: name.slice(0, 128) },
      });
    }
    const { session, source } = event;
    switch (event.kind) {
      case 'attached':
        return this.#note('attach', session, {
          identity: event.credential.id,
          detail: { source, mode: event.mode, preempted: event.preempted },
        });
      case 'auth_failure':
        return this.#note('attach', session, {
          outcome: 'refused',
          reason: 'invalid_or_expired_attach_token',
          detail: { source },
        });
      case 'takeover_limited':
        return this.#note('attach', session, {
          outcome: 'refused',
          reason: 'takeover_rate_limited',
          detail: { source },
        });
    }
  };

  readonly adminFailed = (source: string, detail: string): void =>
    this.#write('token.refused', { outcome: 'refused', reason: detail, detail: { source } });

  readonly minted = (credential: Credential, by: Credential | undefined): void =>
    this.#write('token.minted', {
      ...(by ? { identity: by.id } : {}),
      detail: { id: credential.id, kind: credential.kind, name: credential.name },
    });

  readonly revoked = (id: string, by: Credential | undefined): void =>
    this.#write('token.revoked', { ...(by ? { identity: by.id } : {}), detail: { id } });

  #note(kind: string, session: Session, facts: Facts): void {
    const { name } = session.spec;
    this.#write(kind, { seat: name, session: name, generation: session.generation, ...facts });
  }

  #write(kind: string, facts: Facts): void {
    this.journal.note({ at: this.now(), kind, ...facts });
  }
}
