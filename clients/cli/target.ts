// Which server a verb talks to and with what credential. Always true: a credential is sent only to the address it was
// stored for; the local admin credential goes to the local server alone. spec/cli.md 2 has the order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from './failure.js';
import type { Folders } from './folders.js';
import { readRecord } from './record.js';

export const DEFAULT_ADDRESS = 'http://127.0.0.1:8090';

export interface Target {
  readonly url: string;
  readonly credential: string | undefined;
  /** True for the server that `up` starts on this machine: it sees the same files as we do. */
  readonly local: boolean;
}

export interface Profile {
  readonly url: string;
  readonly token: string;
}

export interface TargetOptions {
  readonly url?: string | undefined;
  readonly profile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folders: Folders;
}

const PROFILE_NAME = /^[a-zA-Z0-9._-]{1,64}$/;

export function profileFile(folders: Folders, name: string): string {
  if (!PROFILE_NAME.test(name) || name.startsWith('.')) {
    throw new CliError(
      'bad_profile',
      `${JSON.stringify(name)} is no name for a profile`,
      'Use letters, digits, dot, dash.',
    );
  }
  return join(folders.profiles, `${name}.json`);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

export function readProfile(folders: Folders, name: string): Profile | undefined {
  const text = readText(profileFile(folders, name));
  if (text === undefined) return undefined;
  try {
    const { url, token } = JSON.parse(text) as Partial<Profile>;
    if (typeof url === 'string' && typeof token === 'string') return { url, token };
  } catch {
    // told below
  }
  throw new CliError(
    'bad_profile',
    `the profile ${name} can't be read`,
    `Log in again: openfloor login LINK --profile ${name}`,
  );
}

export function readCredential(folders: Folders): string | undefined {
  return readText(folders.credentialFile)?.trim();
}

const trimmed = (url: string): string => url.replace(/\/+$/, '');

/** The server to talk to. Throws CliError for a profile that doesn't exist. */
export function findTarget({ url, profile, env, folders }: TargetOptions): Target {
  const localUrl = readRecord(folders)?.address ?? DEFAULT_ADDRESS;
  const at = (address: string): Target => {
    if (trimmed(address) === localUrl) {
      return { url: localUrl, credential: readCredential(folders), local: true };
    }
    const name = profileNameOf(address);
    const stored = name === undefined ? undefined : readProfile(folders, name);
    const fits = stored !== undefined && trimmed(stored.url) === trimmed(address);
    return { url: address, credential: fits ? stored.token : undefined, local: false };
  };
  if (url !== undefined) return at(url);
  if (profile !== undefined) {
    const stored = readProfile(folders, profile);
    if (stored !== undefined) return { url: stored.url, credential: stored.token, local: false };
    throw new CliError(
      'no_profile',
      `there is no profile ${profile}`,
      `Create it: openfloor login LINK --profile ${profile}`,
    );
  }
  if (env.OPENFLOOR_URL !== undefined && env.OPENFLOOR_URL !== '') {
    const target = at(env.OPENFLOOR_URL);
    return env.OPENFLOOR_TOKEN ? { ...target, credential: env.OPENFLOOR_TOKEN, local: false } : target;
  }
  return at(localUrl);
}

/** The profile that `login` stores a server under when none is named: its host and port. */
export function profileNameOf(url: string): string | undefined {
  try {
    return new URL(url).host.replace(/[^a-zA-Z0-9.-]/g, '_').slice(0, 64);
  } catch {
    return undefined;
  }
}
