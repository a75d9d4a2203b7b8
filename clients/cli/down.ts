// `openfloor down`: ends the local server, and says which sessions end with it. Always true: only the process that holds
// the lock of this state folder is signalled.
import { watch } from 'node:fs';
import { findServer } from './background.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import type { Folders } from './folders.js';
import { printable } from './print.js';
import { lockOwner } from './record.js';

/** The drain takes 3 s and every session up to 6 s more, all of them at once. */
const END_LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 100;

function ended(folders: Folders, pid: number): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (over: boolean) => {
      clearInterval(look);
      clearTimeout(limit);
      watcher?.close();
      resolve(over);
    };
    const check = () => {
      if (lockOwner(folders) !== pid) finish(true);
    };
    const limit = setTimeout(() => finish(false), END_LIMIT_MS);
    // The lock goes when the server ends by itself; a killed one leaves it, and only looking tells.
    const look = setInterval(check, LOOK_EVERY_MS);
    const watcher = watch(folders.state, check);
    check();
  });
}

async function sessionNames(context: Context): Promise<string[] | undefined> {
  try {
    return (await (await openClient(context)).sessions.list()).sessions.map(({ name }) => name);
  } catch {
    return undefined;
  }
}

async function bringDown(context: Context): Promise<void> {
  const { folders } = context;
  const pid = lockOwner(folders);
  if (pid === undefined) {
    if (context.json) context.sayJson({ ended: false, sessions: [] });
    else context.say('No server runs here.\n');
    return;
  }
  if ((await findServer(folders)) === undefined && !context.json) {
    context.say(`The server (process ${pid}) does not answer; ending it all the same.\n`);
  }
  const sessions = await sessionNames(context);
  if (!context.json) {
    const list =
      sessions === undefined
        ? 'whatever sessions it has'
        : sessions.length === 0
          ? 'no sessions'
          : sessions.map(printable).join(', ');
    context.say(`Ending the server (process ${pid}) and with it: ${list}\n`);
  }
  process.kill(pid, 'SIGTERM');
  if (!(await ended(folders, pid))) {
    throw new CliError(
      'still_running',
      `the server (process ${pid}) did not end within ${END_LIMIT_MS / 1_000} s`,
      `Look at ${folders.log}, then: kill -9 ${pid}`,
      2,
    );
  }
  if (context.json) context.sayJson({ ended: true, pid, sessions: sessions ?? [] });
  else context.say('Ended.\n');
}

export const define: DefineVerb = (command, context) => {
  command.addHelpText('after', example('openfloor down')).action(() => bringDown(context()));
};
