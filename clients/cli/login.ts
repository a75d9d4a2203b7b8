// `openfloor login`: without a link it prints one for a browser; with one it stores a credential for this machine. Always
// true: a link works once and lives 30 seconds; a stored credential is readable by its owner alone.
import { writeFileSync } from 'node:fs';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { ensureFolderOf } from './folders.js';
import { printable } from './print.js';
import { profileFile, profileNameOf } from './target.js';

/** The address and ticket of a login link. */
export function parseLink(link: string): { url: string; ticket: string } {
  const hash = link.indexOf('#ticket=');
  const ticket = hash < 0 ? '' : link.slice(hash + '#ticket='.length);
  if (!/^[A-Za-z0-9._~-]{1,256}$/.test(ticket)) {
    throw new CliError(
      'bad_link',
      'a login link ends in #ticket= and its ticket',
      'Get one: openfloor login, where the server runs.',
    );
  }
  return { url: link.slice(0, hash).replace(/\/+$/, ''), ticket };
}

export function loginLink(url: string, ticket: string): string {
  return `${url}/#ticket=${ticket}`;
}

async function printLink(context: Context): Promise<void> {
  const client = await openClient(context);
  const { ticket, expires_in_secs } = await client.tickets.create();
  const link = loginLink(client.url, ticket);
  if (context.json) context.sayJson({ link, expires_in_secs });
  else context.say(`${printable(link)}\nOpen it within ${expires_in_secs} s; it works once.\n`);
}

async function storeCredential(context: Context, link: string): Promise<void> {
  const { url, ticket } = parseLink(link);
  const { login } = await import('../sdk/index.js');
  const profile = context.options.profile ?? profileNameOf(url) ?? 'server';
  const file = profileFile(context.folders, profile);
  const { token, expires_in_secs } = await login(url, ticket);
  ensureFolderOf(file);
  writeFileSync(file, `${JSON.stringify({ url, token })}\n`, { mode: 0o600 });
  if (context.json) context.sayJson({ url, profile, expires_in_secs });
  else context.say(`Logged in to ${printable(url)} as profile ${profile}, for ${expires_in_secs} s.\n`);
}

export const define: DefineVerb = (command, context) => {
  command
    .argument('[link]', 'login link of another server')
    .addHelpText(
      'after',
      example('openfloor login', "openfloor login 'http://127.0.0.1:8090/#ticket=...' --profile work"),
    )
    .action((link: string | undefined) =>
      link === undefined ? printLink(context()) : storeCredential(context(), link),
    );
};
