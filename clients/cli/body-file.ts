// Text from a file or standard input, for verbs that take a message or a body. Always true: it is UTF-8 and as large as a
// message may be, or there is one clear sentence.
import { readFileSync } from 'node:fs';
import { MESSAGE_BODY_BYTES } from '../../protocol/limit.js';
import { CliError } from './failure.js';

/** The text in that file; `-` is standard input. `what` names it in a refusal: "the message". */
export function readBodyFile(file: string, what: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(
      'unreadable_file',
      `${what} can't be read: ${message}`,
      'Give a file, or - for standard input.',
    );
  }
  if (bytes.length > MESSAGE_BODY_BYTES) {
    throw new CliError(
      'body_too_large',
      `${what} is larger than ${MESSAGE_BODY_BYTES} bytes`,
      'Send a path to it instead.',
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new CliError('body_not_text', `${what} is not UTF-8`, 'Send text; a path to anything else.');
  }
}
