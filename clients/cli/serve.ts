// `openfloor serve`: the runtime alone, from a config file that names the verifier of its admin credential. For machines
// where something else supervises it; it writes its log to standard output and no link anywhere.
import { type DefineVerb, example } from './context.js';
import { ensureFolder } from './folders.js';
import { holdUntilSignal, startRuntimeFrom } from './runtime-process.js';

export const define: DefineVerb = (command, context) => {
  command
    .addHelpText('after', example('openfloor serve --config /etc/openfloor/openfloor.toml'))
    .action(async () => {
      const { folders, env, say } = context();
      ensureFolder(folders.data);
      const runtime = await startRuntimeFrom({
        profile: 'serve',
        configFile: folders.configFile,
        dataDir: folders.data,
        adminVerifier: undefined,
        env,
        log: 'info',
      });
      say(`Openfloor serves at ${runtime.address}\n`);
      await holdUntilSignal(runtime, { hangupEnds: false });
    });
};
