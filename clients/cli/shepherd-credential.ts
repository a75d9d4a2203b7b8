// Shepherd's own credential on this machine: a file for its owner alone, minted when there is none that works. Always true: a
// file that the configuration names is used as it is and never written.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Client } from '../sdk/index.js';
import { CliError } from './failure.js';
import { ensureFolderOf } from './folders.js';

const SECRET = /^[0-9a-f]{64}$/;

/** What the file holds. Throws CliError when it is no credential. */
export function readShepherdCredential(file: string): string {
  const secret = readIfThere(file);
  if (secret !== undefined) return secret;
  throw new CliError(
    'bad_credential_file',
    `${file} does not hold a credential of 64 hex digits`,
    'Mint one: openfloor token mint --kind shepherd --name shepherd',
  );
}

function readIfThere(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return SECRET.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Makes sure that the file holds a credential that the runtime accepts. `admin` may mint one; the file is 0600. */
export async function ensureShepherdCredential(file: string, admin: Client): Promise<void> {
  const { connect } = await import('../sdk/index.js');
  const stored = readIfThere(file);
  if (stored !== undefined) {
    const whose = await connect({ url: admin.url, credential: stored })
      .whoami()
      .catch(() => undefined);
    if (whose?.kind === 'shepherd') return;
  }
  const { token } = await admin.tokens.mint({ kind: 'shepherd', name: 'shepherd' });
  ensureFolderOf(file);
  writeFileSync(`${file}.new`, `${token}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
