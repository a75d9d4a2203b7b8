// `openfloor shepherd`: the outer layer alone, beside a runtime that somebody else runs. Always true: it reaches the runtime
// only at the address it is given, with a credential of its own kind; as a child of `up` it ends with its parent.
import { type Context, type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { ensureFolder } from './folders.js';
import { printable } from './print.js';
import { ensureShepherdCredential, readShepherdCredential } from './shepherd-credential.js';
import type { Greeting, ReadyMessage } from './shepherd-process.js';

interface ShepherdOptions {
  readonly runtime?: string;
  readonly listen: string;
  readonly credentialFile?: string;
  readonly webhookFile?: string;
  /** Set by `up`: we are its child. */
  readonly child?: boolean;
}

const LISTEN = /^(?:\[(?<v6>[0-9a-f:]+)\]|(?<host>[^:\s]+)):(?<port>\d{1,5})$/i;

function parseListen(text: string): { host: string; port: number } {
  const { v6, host, port } = LISTEN.exec(text)?.groups ?? {};
  const name = v6 ?? host;
  // Its routes are served under the runtime's address; alone it has no TLS and no rule for hosts.
  if (name === undefined || !/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(name)) {
    throw new CliError(
      'usage',
      `${JSON.stringify(text)} is no loopback address`,
      'For example 127.0.0.1:8091.',
    );
  }
  return { host: name, port: Number(port) };
}

/** Resolves with why it should end: a signal, its parent's end, or the runtime's refusal for good. */
function untilEnd(child: boolean, ended: Promise<{ readonly reason: string }>): Promise<string | undefined> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve(undefined));
    // A Ctrl-C reaches the whole group; the parent says when.
    if (child) process.on('SIGINT', () => {});
    else process.once('SIGINT', () => resolve(undefined));
    if (child) process.once('disconnect', () => resolve(undefined));
    void ended.then(({ reason }) => resolve(reason));
  });
}

async function shepherd(context: Context, options: ShepherdOptions): Promise<void> {
  const { folders } = context;
  const target = context.target();
  const url = options.runtime ?? target.url;
  let file = options.credentialFile;
  if (file === undefined) {
    file = folders.shepherdCredentialFile;
    const { connect } = await import('../sdk/index.js');
    const { credential } = target.url === url ? target : { credential: undefined };
    if (credential !== undefined) await ensureShepherdCredential(file, connect({ url, credential }));
  }
  const credential = readShepherdCredential(file);
  ensureFolder(folders.data);
  const { startShepherd } = await import('../../shepherd/main.js');
  const running = await startShepherd({
    runtime: url,
    credential,
    dataDir: folders.data,
    listen: parseListen(options.listen),
    alerts: { webhook: null, webhookFile: options.webhookFile ?? null },
  });
  if (options.child) process.on('message', ({ alerts }: Greeting) => running.alertsTo(alerts));
  if (options.child) process.send?.({ address: running.address } satisfies ReadyMessage);
  else if (context.json) context.sayJson({ address: running.address, runtime: url, pid: process.pid });
  else context.say(`Shepherd serves at ${running.address}, for ${printable(url)}; Ctrl-C ends it.\n`);
  const reason = await untilEnd(options.child === true, running.ended);
  await running.stop();
  if (options.child && process.connected) process.disconnect();
  if (reason === undefined) return;
  throw new CliError(
    'runtime_unavailable',
    `the runtime ended the connection for good: ${reason}`,
    'Look whether the credential of Shepherd is still valid: openfloor token list',
    2,
  );
}

export const define: DefineVerb = (command, context) => {
  command
    .option('--runtime <url>', 'address of the runtime; the local one by default')
    .option('--listen <address>', 'own address, on loopback', '127.0.0.1:0')
    .option('--credential-file <file>', 'file with a credential of kind shepherd')
    .option('--webhook-file <file>', 'file with the address that alerts are posted to')
    .addHelpText(
      'after',
      example('openfloor shepherd --runtime http://127.0.0.1:8090 --listen 127.0.0.1:8091'),
    )
    .action((options: ShepherdOptions) => shepherd(context(), options));
  command.addOption(command.createOption('--child', 'for openfloor itself').hideHelp());
};
