// `openfloor serve`: the runtime alone, from a config file that names the verifier of its admin credential. For machines
// where something else supervises it; it writes its log to standard error and no link anywhere.
import { randomBytes } from 'node:crypto';
import { type Context, type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { verifierOf } from './first-start.js';
import { ensureFolder } from './folders.js';
import { holdUntilSignal } from './runtime-process.js';

interface ServeOptions {
  readonly validateProjection?: string;
  readonly generateAdminCredential?: boolean;
}

/** The contract's validator (attach contract 2.2): OK or REJECTED with the fault, exit code 0 or 1. */
async function validate(context: Context, file: string): Promise<void> {
  const { judgeProjectionFile } = await import('../../runtime/main.js');
  const verdict = judgeProjectionFile(file, context.env);
  context.say(`${verdict.text}\n`);
  if (verdict.state === 'rejected') process.exitCode = 1;
}

function generate(context: Context): void {
  const credential = randomBytes(32).toString('hex');
  if (context.json) context.sayJson({ credential, admin_credential_hash: verifierOf(credential) });
  else
    context.say(`credential (keep it): ${credential}\nadmin_credential_hash = "${verifierOf(credential)}"\n`);
}

async function serve({ folders, env, say }: Context): Promise<void> {
  ensureFolder(folders.data);
  const { loadConfig, startRuntime } = await import('../../runtime/main.js');
  const config = loadConfig({ profile: 'serve', file: folders.configFile, env });
  if (!config.pty.enabled) {
    throw new CliError(
      'config_invalid',
      'the configuration says enabled = false',
      'Set [pty] enabled = true.',
    );
  }
  const runtime = await startRuntime({ config, dataDir: folders.data, packFolder: folders.packs });
  say(`Openfloor serves at ${runtime.address}\n`);
  await holdUntilSignal(runtime, { hangupEnds: false });
}

export const define: DefineVerb = (command, context) => {
  command
    .option('--validate-projection <file>', 'check a config file by the attach contract and exit')
    .option('--generate-admin-credential', 'print a new credential and its verifier and exit')
    .addHelpText('after', example('openfloor serve --config /etc/openfloor/openfloor.toml'))
    .action(async (options: ServeOptions) => {
      if (options.validateProjection !== undefined) return validate(context(), options.validateProjection);
      if (options.generateAdminCredential) return generate(context());
      return serve(context());
    });
};
