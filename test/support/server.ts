// The one place that knows how Openfloor is started for tests and for the bench: in this process, on a loopback port of
// its own, with a store in a temporary folder. Everything else sees an address and a credential.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ServerOptions {
  readonly maxSessions?: number;
  /** Further keys of openfloor.toml, by section. */
  readonly pages?: Readonly<Record<string, unknown>>;
}

export interface TestServer {
  /** For example http://127.0.0.1:40123, without a final slash. */
  readonly url: string;
  readonly credential: string;
  readonly dataDir: string;
  stop(): Promise<void>;
}
const start: string = '../../runtime/main.js';

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openfloor-test-'));
  const credential = randomBytes(32).toString('hex');
  const { startRuntime } = await import(start);
  const runtime = await startRuntime({ config: options, dataDir, log: 'silent' });
  createHash('sha256').update(credential);
  return {
    url: runtime.address,
    credential,
    dataDir,
    stop: async () => {
      await runtime.drain();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
