// Credentials: minted, checked, revoked. Always true: a secret is returned once and kept nowhere, checking never touches
// the disk, and a revoked credential is dead at once even when the store can't record it. Attach and agent credentials
// die with their PTY and stay in memory; the others are stored. It knows no route and no scope.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { Store } from './open.js';
import {
  type Credential,
  type CredentialCheck,
  type CredentialDraft,
  type CredentialKind,
  type Credentials,
  JournalError,
  type TimeMs,
} from './port.js';
import { credentials } from './schema.js';

/** Live credentials of all kinds; beyond it nothing is minted. */
const CAPACITY = 10_000;
/** An expired credential is told apart from an unknown one this long. */
const EXPIRED_KEPT_MS = 3_600_000;
/** Stored rows of dead credentials are kept this long for whoever reads the list of the past. */
const DEAD_KEPT_MS = 30 * 86_400_000;

interface Held {
  readonly credential: Credential;
  readonly verifier: Buffer;
  /** `memory` dies with the process, `config` stands in the configuration file. */
  readonly home: 'store' | 'memory' | 'config';
}

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function isStored(kind: CredentialKind): boolean {
  return kind === 'admin' || kind === 'shepherd' || kind === 'auditor';
}

function credentialOf(draft: CredentialDraft, now: TimeMs): Credential {
  const ttlMs = draft.ttlMs ?? null;
  return {
    id: uuidv7(),
    kind: draft.kind,
    name: draft.name,
    seats: draft.seats ?? null,
    scopes: draft.scopes ?? [],
    session: draft.session ?? null,
    generation: draft.generation ?? null,
    mode: draft.mode ?? null,
    createdAt: now,
    expiresAt: ttlMs === null || ttlMs === Number.POSITIVE_INFINITY ? null : now + ttlMs,
  };
}

export class CredentialTable implements Credentials {
  /** By the verifier as hex: what is looked up is a hash, so the time it takes says nothing of the secret. */
  private readonly byVerifier = new Map<string, Held>();
  private readonly byId = new Map<string, Held>();
  /** Revocations that the store has yet to record. */
  private readonly unrecorded = new Map<string, TimeMs>();

  /** @param owed called when the store could not record something that is already true */
  constructor(
    private readonly store: Store,
    private readonly owed: () => void,
  ) {
    const { db } = store;
    const live = store.read(() => db.select().from(credentials).where(isNull(credentials.revokedAt)).all());
    for (const row of live) {
      const { verifier, revokedAt: _, ...rest } = row;
      const credential: Credential = {
        ...rest,
        kind: row.kind as CredentialKind,
        session: null,
        generation: null,
        mode: null,
      };
      this.keep({ credential, verifier: Buffer.from(verifier, 'hex'), home: 'store' });
    }
  }

  private keep(held: Held): void {
    this.byVerifier.set(held.verifier.toString('hex'), held);
    this.byId.set(held.credential.id, held);
  }

  private drop(held: Held): void {
    this.byVerifier.delete(held.verifier.toString('hex'));
    this.byId.delete(held.credential.id);
  }

  mint(draft: CredentialDraft, now: TimeMs): { credential: Credential; secret: string } {
    if (this.byId.size >= CAPACITY) this.sweep(now, 0);
    if (this.byId.size >= CAPACITY) {
      throw new JournalError(
        'credential_capacity',
        `There are ${CAPACITY} live credentials already.`,
        'Revoke some with `openfloor token revoke`, or mint them with a time to live.',
      );
    }
    const secret = randomBytes(32).toString('hex');
    const credential = credentialOf(draft, now);
    const verifier = hashOf(secret);
    const stored = isStored(draft.kind);
    if (stored) {
      const { session: _, generation: __, mode: ___, ...columns } = credential;
      this.store.write(() => {
        this.store.db
          .insert(credentials)
          .values({ ...columns, verifier: verifier.toString('hex') })
          .run();
      });
    }
    this.keep({ credential, verifier, home: stored ? 'store' : 'memory' });
    return { credential, secret };
  }

  admit(draft: CredentialDraft, verifier: string, now: TimeMs): Credential {
    const match = /^sha256:([0-9a-f]{64})$/.exec(verifier);
    if (match === null) throw new TypeError('a verifier is sha256: and 64 lowercase hex characters');
    const credential = credentialOf(draft, now);
    this.keep({ credential, verifier: Buffer.from(match[1]!, 'hex'), home: 'config' });
    return credential;
  }

  check(secret: string, now: TimeMs): CredentialCheck {
    const presented = hashOf(secret);
    const held = this.byVerifier.get(presented.toString('hex'));
    if (held === undefined || !timingSafeEqual(presented, held.verifier)) return { state: 'unknown' };
    const { credential } = held;
    const expired = credential.expiresAt !== null && now >= credential.expiresAt;
    return { state: expired ? 'expired' : 'valid', credential };
  }

  list(now: TimeMs): Credential[] {
    this.sweep(now, EXPIRED_KEPT_MS);
    return [...this.byId.values()]
      .map(({ credential }) => credential)
      .filter(({ expiresAt }) => expiresAt === null || now < expiresAt);
  }

  revoke(id: string, now: TimeMs): boolean {
    const held = this.byId.get(id);
    if (held === undefined || held.home === 'config') return false;
    this.drop(held);
    if (held.home === 'store') {
      this.unrecorded.set(id, now);
      try {
        this.record();
      } catch (error) {
        if (!(error instanceof JournalError)) throw error;
        this.owed();
      }
    }
    return true;
  }

  revokeSession(session: string, belowGeneration = Number.POSITIVE_INFINITY): number {
    let revoked = 0;
    for (const held of [...this.byId.values()]) {
      const { credential } = held;
      if (credential.session !== session || (credential.generation ?? 0) >= belowGeneration) continue;
      this.drop(held);
      revoked++;
    }
    return revoked;
  }

  fingerprint(secret: string): string {
    return `h:${hashOf(hashOf(secret).toString('hex')).toString('hex').slice(0, 16)}`;
  }

  /** Records revocations that are only in memory. Throws JournalError while the store is away. */
  record(): void {
    if (this.unrecorded.size === 0) return;
    const { db } = this.store;
    this.store.write(() => {
      for (const [id, revokedAt] of this.unrecorded) {
        db.update(credentials).set({ revokedAt }).where(eq(credentials.id, id)).run();
      }
    });
    this.unrecorded.clear();
  }

  /** Forgets long-dead rows of the store. Inside the caller's transaction. */
  prune(now: TimeMs): void {
    const before = now - DEAD_KEPT_MS;
    const { revokedAt, expiresAt } = credentials;
    this.store.db
      .delete(credentials)
      .where(
        or(
          and(isNotNull(revokedAt), lt(revokedAt, before)),
          and(isNotNull(expiresAt), lt(expiresAt, before)),
        ),
      )
      .run();
  }

  private sweep(now: TimeMs, keptMs: number): void {
    for (const held of [...this.byId.values()]) {
      const { expiresAt } = held.credential;
      if (expiresAt !== null && now >= expiresAt + keptMs) this.drop(held);
    }
  }
}
