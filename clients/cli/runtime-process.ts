// This process as a server: starts the runtime, and holds it until a signal. Always true: the first signal drains, which
// tells the clients and ends the sessions; a second one ends the process at once.

/** What the composition root offers (runtime/main.ts). */
export interface RunningRuntime {
  /** For example http://127.0.0.1:8090. */
  readonly address: string;
  /** A one-time login ticket. */
  mintTicket(): string;
  drain(): Promise<void>;
}

export interface RuntimeRequest {
  readonly profile: 'up' | 'serve';
  readonly configFile: string | undefined;
  readonly dataDir: string;
  readonly adminVerifier: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: 'info' | 'warn';
}

interface RuntimeMain {
  startRuntime(options: {
    config: unknown;
    dataDir: string;
    adminVerifier?: string;
    log: 'info' | 'warn';
  }): Promise<RunningRuntime>;
  loadConfig(options: { profile: 'up' | 'serve'; file?: string; env: RuntimeRequest['env'] }): unknown;
}

const MAIN: string = '../../runtime/main.js';

export async function startRuntimeFrom(request: RuntimeRequest): Promise<RunningRuntime> {
  const { profile, configFile, dataDir, adminVerifier, env, log } = request;
  const { startRuntime, loadConfig } = (await import(MAIN)) as RuntimeMain;
  const config = loadConfig({ profile, env, ...(configFile === undefined ? {} : { file: configFile }) });
  return startRuntime({ config, dataDir, log, ...(adminVerifier === undefined ? {} : { adminVerifier }) });
}

/** Resolves once the runtime is drained. `hangupEnds`: a closed terminal ends it; otherwise SIGHUP is not ours. */
export async function holdUntilSignal(
  runtime: RunningRuntime,
  options: { hangupEnds: boolean },
): Promise<void> {
  const signals: NodeJS.Signals[] = options.hangupEnds
    ? ['SIGINT', 'SIGTERM', 'SIGHUP']
    : ['SIGINT', 'SIGTERM'];
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
  for (const signal of signals) process.once(signal, () => process.exit(1));
  await runtime.drain();
  for (const signal of signals) process.removeAllListeners(signal);
}
