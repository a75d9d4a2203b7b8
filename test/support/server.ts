// The one place that knows how Openfloor is started for tests and for the bench: in this process, on a loopback port of
// its own, with a store in a temporary folder. Everything else sees an address and a credential.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../runtime/config/config.js';
import { parseConfig } from '../../runtime/config/load.js';
import { startRuntime } from '../../runtime/main.js';

/** What a case may ask of its server; everything else is as under `up`. Durations in milliseconds. */
export interface ServerOptions {
  readonly listen?: Config['pty']['listen'];
  readonly command?: string;
  readonly maxSessions?: number;
  readonly absoluteTtlMs?: number;
  readonly attachTokenMs?: number;
  readonly detachedIdleMs?: number;
  readonly scrollbackBytes?: number;
  readonly scrollbackReplay?: boolean;
  readonly env?: Config['pty']['env'];
  readonly origins?: readonly string[];
  readonly hosts?: readonly string[];
  readonly allowClientCommand?: boolean;
  /** Folder of user packs. */
  readonly packFolder?: string;
  /** Folder of a store that is there already; a new one otherwise. */
  readonly dataDir?: string;
}

/** The configuration of `up`, on a free port, with these options instead. */
export function testConfig(options: ServerOptions): Config {
  const base = parseConfig({ file: 'test', text: '' }, { profile: 'up', env: {} });
  return {
    ...base,
    pty: {
      ...base.pty,
      listen: options.listen ?? { host: '127.0.0.1', port: 0 },
      command: options.command ?? '/bin/bash',
      maxSessions: options.maxSessions ?? 256,
      absoluteSessionTtlMs: options.absoluteTtlMs ?? 12 * 3_600_000,
      attachTokenTtlMs: options.attachTokenMs ?? 15 * 60_000,
      detachedIdleTtlMs: options.detachedIdleMs ?? 30 * 60_000,
      scrollbackBytes: options.scrollbackBytes ?? 1_048_576,
      scrollbackReplay: options.scrollbackReplay ?? false,
      env: options.env ?? ['TERM', 'LANG', 'PATH', 'HOME', 'USER', 'SHELL', 'LC_*'],
    },
    server: {
      origins: options.origins ?? [],
      hosts: options.hosts ?? [],
      allowClientCommand: options.allowClientCommand ?? true,
    },
  };
}

/** What a runtime keeps of a credential. */
export function verifierOf(credential: string): string {
  return `sha256:${createHash('sha256').update(credential).digest('hex')}`;
}

export interface TestServer {
  /** For example http://127.0.0.1:40123, without a final slash. */
  readonly url: string;
  readonly credential: string;
  readonly dataDir: string;
  /** A one-time login ticket for a browser. */
  mintTicket(): string;
  stop(): Promise<void>;
}
/** Starts Openfloor; `stop` ends every session and removes the store. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'openfloor-test-'));
  const credential = randomBytes(32).toString('hex');
  const runtime = await startRuntime({
    config: testConfig(options),
    ...(options.packFolder ? { packFolder: options.packFolder } : {}),
    dataDir,
    log: 'silent',
    adminVerifier: verifierOf(credential),
  });
  return {
    url: runtime.address,
    credential,
    dataDir,
    mintTicket: () => runtime.mintTicket(),
    stop: async () => {
      await runtime.drain();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
