// Why the registry refused: one reason each, with the sentence of the attach contract where it has one (1.3).

export type RegistryReason =
  | 'draining'
  | 'session_exists'
  | 'session_missing'
  | 'session_dead'
  | 'capacity'
  | 'command_not_found'
  | 'cwd_missing'
  | 'spawn_failed';

const SENTENCES: Readonly<Record<RegistryReason, (subject: string) => string>> = {
  draining: () => 'runtime is draining for shutdown',
  session_exists: (name) => `session already exists: ${name}`,
  session_missing: (name) => `no such session: ${name}`,
  session_dead: (name) => `session ${name} is dead; restart-in-place required`,
  capacity: (limit) => `session capacity exceeded (limit ${limit})`,
  command_not_found: (message) => message,
  cwd_missing: (message) => message,
  spawn_failed: (message) => message,
};

export class RegistryError extends Error {
  constructor(
    readonly reason: RegistryReason,
    subject: string,
  ) {
    super(SENTENCES[reason](subject));
  }
}
