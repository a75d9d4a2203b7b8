// What the CLI says when something goes wrong: one sentence, the reason code, what to do next; and its exit status. Always
// true: 0 is success, 1 is on the caller's side, 2 is on the server's side. A fault of our own is 2, with its stack.
import { type Paper, paint, printable } from './print.js';

export class CliError extends Error {
  override readonly name = 'CliError';
  constructor(
    readonly reason: string,
    message: string,
    readonly next: string = '',
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
  }
}

/** Ends the process with this status and says nothing more: everything has been said. */
export class QuietExit extends Error {
  override readonly name = 'QuietExit';
  constructor(readonly exitCode: 0 | 1 | 2) {
    super('');
  }
}

export interface Failure {
  readonly error: string;
  readonly reason: string;
  readonly next: string;
  readonly exitCode: 0 | 1 | 2;
}

/** Reasons of the SDK that are not the caller's fault. */
const SERVER_SIDE = new Set([
  'unreachable',
  'timeout',
  'server_error',
  'unavailable',
  'bad_answer',
  'connection_lost',
]);

/** Fields of SdkError, read structurally: failing early must not load the SDK. */
interface SdkShape {
  readonly name: string;
  readonly message: string;
  readonly reason: string;
  readonly next: string;
  readonly status: number | undefined;
}

/** Faults of the file system that somebody can mend. */
const UNUSABLE: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'something above it is no folder',
  ENOENT: "it can't be created there",
};

export function failureOf(error: unknown): Failure {
  if (error instanceof CliError) {
    const { message, reason, next, exitCode } = error;
    return { error: message, reason, next, exitCode };
  }
  if (error instanceof Error && error.name === 'SdkError') {
    const { message, reason, next, status } = error as SdkShape;
    const exitCode = SERVER_SIDE.has(reason) || (status !== undefined && status >= 500) ? 2 : 1;
    return { error: message, reason, next, exitCode };
  }
  // Faults of the runtime that `up` and `serve` start in this process.
  if (error instanceof Error && (error.name === 'ConfigError' || error.name === 'JournalError')) {
    const { message, reason, next } = error as SdkShape;
    return { error: message, reason, next, exitCode: error.name === 'ConfigError' ? 1 : 2 };
  }
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    const { message } = error as Error;
    const next = 'Set [pty] listen to another port, or end what uses this one.';
    return { error: message, reason: 'address_in_use', next, exitCode: 1 };
  }
  const { code = '', path, syscall } = error as NodeJS.ErrnoException;
  const why = UNUSABLE[code];
  if (path !== undefined && why !== undefined && (code !== 'ENOENT' || syscall === 'mkdir')) {
    return {
      error: `${JSON.stringify(path)} can't be used: ${why}`,
      reason: 'folder_unusable',
      next: 'Make room for it and make it writable for you, or choose another folder with --data or --config.',
      exitCode: 2,
    };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    error: text,
    reason: 'internal',
    next: 'This is a fault of Openfloor; please report it.',
    exitCode: 2,
  };
}

/** The lines for standard error. */
export function formatFailure(failure: Failure, json: boolean, paper: Paper): string {
  const { error, reason, next } = failure;
  if (json) return `${JSON.stringify({ error, reason, next })}\n`;
  const sentence = error.split('\n').map(printable).join('\n');
  const lines = [
    `${paint(paper, 'red', 'openfloor:')} ${sentence} ${paint(paper, 'dim', `(${printable(reason)})`)}`,
  ];
  if (next !== '') lines.push(`  next: ${printable(next)}`);
  return `${lines.join('\n')}\n`;
}
