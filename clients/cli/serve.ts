// `openfloor serve`: the runtime alone, from a config file that names the verifier of its admin credential. For machines
// where something else supervises it; it writes its log to standard output and no link anywhere.
import { type DefineVerb, example } from './context.js';
import { ensureFolder } from './folders.js';
import { holdUntilSignal } from './runtime-process.js';
import { upConfig } from './up-config.js';

export const define: DefineVerb = (command, context) => {
  command
    .addHelpText('after', example('openfloor serve --config /etc/openfloor/openfloor.toml'))
    .action(async () => {
      const { folders, env, say } = context();
      ensureFolder(folders.data);
      const { startRuntime } = await import('../../runtime/main.js');
      const runtime = await startRuntime({
        config: upConfig(env, folders.configFile),
        dataDir: folders.data,
      });
      say(`Openfloor serves at ${runtime.address}\n`);
      await holdUntilSignal(runtime, { hangupEnds: false });
    });
};
