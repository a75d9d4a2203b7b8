// Names of signals by number, as this machine counts them. Pure.
import { constants } from 'node:os';

const names = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** For example SIGKILL for 9; SIG and the number when it has no name. */
export function signalName(number: number): string {
  return names.get(number) ?? `SIG${number}`;
}
