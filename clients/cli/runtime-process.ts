// This process as a server: holds a runtime until a signal. Always true: the first signal drains, which tells the clients
// and ends the sessions; a second one ends the process at once. Starting the runtime is the business of `up` and `serve`.

/** What of the runtime is needed here (runtime/main.ts). */
export interface Drained {
  drain(): Promise<void>;
}

/** Resolves once the runtime is drained. `hangupEnds`: a closed terminal ends it; otherwise SIGHUP is not ours. */
export async function holdUntilSignal(runtime: Drained, options: { hangupEnds: boolean }): Promise<void> {
  const signals: NodeJS.Signals[] = options.hangupEnds
    ? ['SIGINT', 'SIGTERM', 'SIGHUP']
    : ['SIGINT', 'SIGTERM'];
  const unhandled = () => {};
  if (!options.hangupEnds) process.on('SIGHUP', unhandled);
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
  for (const signal of signals) process.once(signal, () => process.exit(1));
  await runtime.drain();
  for (const signal of signals) process.removeAllListeners(signal);
  process.off('SIGHUP', unhandled);
}
