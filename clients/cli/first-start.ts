// What the very first `up` leaves behind: a config file that says what could be set, and the admin credential. Always
// true: the credential is 64 hex digits of chance in a file for its owner alone; the server is given its verifier only;
// nothing that exists is overwritten.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { CliError } from './failure.js';
import { ensureFolder, ensureFolderOf, type Folders } from './folders.js';

const CONFIG = `# Openfloor. Every key is optional; an unknown one is an error that names the nearest known one.
# Under \`openfloor up\` sessions live until they end or are killed, and get the caller's environment.

[pty]
# listen = "127.0.0.1:8090"
# scrollback_kib = 1024
`;

const CREDENTIAL = /^[0-9a-f]{64}$/;

/** What a server keeps of a credential: SHA-256 over its hex text. */
export function verifierOf(credential: string): string {
  return `sha256:${createHash('sha256').update(credential).digest('hex')}`;
}

function createOnce(file: string, text: string): boolean {
  ensureFolderOf(file);
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

export interface Installation {
  /** The config file, when there is one: a given --config must exist. */
  readonly configFile: string;
  readonly verifier: string;
  /** What was created just now. */
  readonly created: readonly string[];
}

/** Creates what is missing. `ownConfig` is true when --config was given: then nothing is written there. */
export function prepareInstallation(folders: Folders, ownConfig: boolean): Installation {
  const created: string[] = [];
  if (ownConfig && !existsSync(folders.configFile)) {
    throw new CliError(
      'no_config',
      `there is no config file ${folders.configFile}`,
      'Leave --config away to use the default one.',
    );
  }
  if (!ownConfig && createOnce(folders.configFile, CONFIG)) created.push(folders.configFile);
  if (createOnce(folders.credentialFile, `${randomBytes(32).toString('hex')}\n`)) {
    created.push(folders.credentialFile);
  } else if ((statSync(folders.credentialFile).mode & 0o077) !== 0) {
    chmodSync(folders.credentialFile, 0o600);
  }
  const credential = readFileSync(folders.credentialFile, 'utf8').trim();
  if (!CREDENTIAL.test(credential)) {
    throw new CliError(
      'bad_credential_file',
      `${folders.credentialFile} does not hold 64 hex digits`,
      'Remove it: the next start makes a new one.',
    );
  }
  ensureFolder(folders.data);
  return { configFile: folders.configFile, verifier: verifierOf(credential), created };
}
