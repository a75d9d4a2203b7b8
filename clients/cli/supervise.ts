// Starts Shepherd under `up`: its credential, its arguments, and what a crash loop tells. Always true: `up` goes on whatever
// becomes of Shepherd; no secret is in an argument or in the child's environment.
import { serverEnvironment } from './background.js';
import type { Context } from './context.js';
import { ensureShepherdCredential } from './shepherd-credential.js';
import { type Greeting, ShepherdProcess } from './shepherd-process.js';
import { readCredential } from './target.js';

export type { ShepherdProcess } from './shepherd-process.js';

/** Its routes under the public address. */
export const SHEPHERD_PREFIXES = ['/api/queue', '/api/watchdog'] as const;

export interface ShepherdConfig {
  readonly listen: { readonly host: string; readonly port: number };
  readonly credentialFile: string | null;
  readonly alerts: Greeting['alerts'];
}

/** The supervised child of this server; undefined when it can't have a credential, which is told. */
export async function superviseShepherd(
  context: Context,
  runtime: string,
  { listen, credentialFile, alerts }: ShepherdConfig,
): Promise<ShepherdProcess | undefined> {
  const { folders, options } = context;
  const { connect } = await import('../sdk/index.js');
  const admin = connect({ url: runtime, credential: readCredential(folders) ?? '' });
  const file = credentialFile ?? folders.shepherdCredentialFile;
  try {
    if (credentialFile === null) await ensureShepherdCredential(file, admin);
  } catch (error) {
    process.stderr.write(
      `Shepherd is not started: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return undefined;
  }
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  const child = new ShepherdProcess({
    greeting: { alerts },
    argv: [
      'shepherd',
      '--child',
      ...['--runtime', runtime],
      ...['--listen', `${host}:${listen.port}`],
      ...['--credential-file', file],
      ...(options.data === undefined ? [] : ['--data', folders.data]),
    ],
    env: serverEnvironment(context.env),
    crashing: (ends) => {
      const alert = { cause: 'shepherd_crashing', since_at: Date.now(), detail: { ends } };
      admin.request('POST', '/api/alerts', alert).catch(() => {});
      process.stderr.write(`Shepherd has ended ${ends} times; it is started again, further apart.\n`);
    },
  });
  child.start();
  return child;
}
