// `openfloor up`: the server on this machine, in this terminal or in the background. Always true: one server a state
// folder; a second start says where the first one is; a login link is printed to whoever starts it and never logged.
import { ensureServer, findServer, type StartedMessage } from './background.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { prepareInstallation } from './first-start.js';
import { loginLink } from './login.js';
import { paint, printable } from './print.js';
import { claimLock, writeRecord } from './record.js';
import { holdUntilSignal } from './runtime-process.js';
import { SHEPHERD_PREFIXES, type ShepherdProcess, superviseShepherd } from './supervise.js';

interface UpOptions {
  readonly background?: boolean;
  /** Set by `startServer`: we are the background process, our output is a log. */
  readonly child?: boolean;
}

async function sayRunning(context: Context, address: string, pid: number): Promise<void> {
  if (context.json) context.sayJson({ address, pid, started: false });
  else context.say(`Openfloor already runs at ${printable(address)} (process ${pid}).\n`);
}

async function upInBackground(context: Context): Promise<void> {
  const before = await findServer(context.folders);
  if (before !== undefined) return sayRunning(context, before.address, before.pid);
  const { address } = await ensureServer(context);
  if (context.json) {
    context.sayJson({ address, started: true });
    return;
  }
  const { ticket } = await (await openClient(context)).tickets.create();
  context.say(`Openfloor runs at ${printable(address)}, in the background. Log: ${context.folders.log}\n`);
  context.say(`Log a browser in: ${printable(loginLink(address, ticket))}\n`);
}

async function upHere(context: Context, child: boolean): Promise<void> {
  const { folders } = context;
  const lock = claimLock(folders);
  if ('heldBy' in lock) {
    const running = await findServer(folders);
    if (running !== undefined && !child) return sayRunning(context, running.address, running.pid);
    throw new CliError(
      'already_running',
      `process ${lock.heldBy} is already the server here, or about to be`,
      'Use it, or end it: openfloor down',
    );
  }
  try {
    const { configFile, verifier, created } = prepareInstallation(
      folders,
      context.options.config !== undefined,
    );
    const { loadConfig, startRuntime } = await import('../../runtime/main.js');
    const config = loadConfig({ profile: 'up', file: configFile, env: context.env });
    let shepherd: ShepherdProcess | undefined;
    const address = async () => shepherd?.address();
    const runtime = await startRuntime({
      config,
      dataDir: folders.data,
      packFolder: folders.packs,
      adminVerifier: verifier,
      ...(config.shepherd.enabled ? { outer: { prefixes: SHEPHERD_PREFIXES, address } } : {}),
    });
    if (config.shepherd.enabled)
      shepherd = await superviseShepherd(context, runtime.address, {
        ...config.shepherd,
        alerts: config.alerts,
      });
    writeRecord(folders, {
      pid: process.pid,
      address: runtime.address,
      started_at: new Date().toISOString(),
    });
    if (child) {
      process.send?.({ address: runtime.address } satisfies StartedMessage);
    } else {
      if (!context.json) for (const file of created) context.say(paint(context, 'dim', `created ${file}\n`));
      const link = loginLink(runtime.address, runtime.mintTicket());
      if (context.json) context.sayJson({ address: runtime.address, link, pid: process.pid, started: true });
      else {
        context.say(`Openfloor runs at ${paint(context, 'bold', runtime.address)}; Ctrl-C ends it.\n`);
        context.say(`Log a browser in: ${link}\n`);
      }
    }
    const drain = async () => {
      await Promise.all([shepherd?.stop(), runtime.drain()]);
    };
    await holdUntilSignal({ drain }, { hangupEnds: !child });
  } finally {
    lock.release();
  }
}

export const define: DefineVerb = (command, context) => {
  command
    .option('--background', 'run on after this terminal is closed')
    .addHelpText('after', example('openfloor up', 'openfloor up --background'))
    .action((options: UpOptions) =>
      options.background ? upInBackground(context()) : upHere(context(), options.child === true),
    );
  command.addOption(command.createOption('--child', 'for openfloor itself').hideHelp());
};
