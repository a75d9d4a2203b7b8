// A runtime in a process of its own that is killed with signal 9 at one named point of the first transaction. It is the
// product's own composition with a journal and PTYs that count what passes. Arguments: data folder, point, verifier. It
// prints its address as one JSON line.
import { join } from 'node:path';
import { openJournal } from '../../runtime/journal/journal.js';
import type { Journal } from '../../runtime/journal/port.js';
import { composeRuntime } from '../../runtime/main.js';
import { createPtyRoom, type PtyRoom } from '../../runtime/pty/host.js';
import { testConfig } from '../support/server.js';

export const POINTS = [
  'before the grant is on record',
  'after the grant is on record',
  'in the middle of the paste',
  'after the paste, before Enter',
  'after Enter',
  'before the end is on record',
  'after the end is on record',
] as const;
export type Point = (typeof POINTS)[number];

/** Does not return: the signal is delivered before the call is over. */
function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function cutJournal(journal: Journal, point: Point): Journal {
  const commit: Journal['commit'] = (changes) => {
    const has = (kind: string) => changes.some((one) => one.type === 'audit' && one.entry.kind === kind);
    const grant = has('injection.granted');
    const end = has('injection.finished');
    if (grant && point === 'before the grant is on record') die();
    if (end && point === 'before the end is on record') die();
    const records = journal.commit(changes);
    if (grant && point === 'after the grant is on record') die();
    if (end && point === 'after the end is on record') die();
    return records;
  };
  return new Proxy(journal, {
    get(target, name) {
      if (name === 'commit') return commit;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function cutPtys(ptys: PtyRoom, point: Point): PtyRoom {
  const spawn: PtyRoom['host']['spawn'] = async (spec, events) => {
    const pty = await ptys.host.spawn(spec, events);
    return {
      ...pty,
      write(bytes) {
        const enter = bytes.length === 1 && bytes[0] === 0x0d;
        if (enter && point === 'after the paste, before Enter') die();
        const took = pty.write(bytes);
        if (enter && point === 'after Enter') die();
        const begins = Buffer.from(bytes.subarray(0, 6)).toString('latin1') === '\x1b[200~';
        if (begins && point === 'in the middle of the paste') die();
        return took;
      },
    };
  };
  return { ...ptys, host: { spawn } };
}

if (process.argv[1]?.endsWith('cut-runtime.js')) {
  const [dataDir, point, adminVerifier] = process.argv.slice(2) as [string, Point, string];
  const runtime = await composeRuntime(
    { config: testConfig({ env: 'caller' }), dataDir, log: 'silent', adminVerifier },
    {
      journal: cutJournal(openJournal({ file: join(dataDir, 'openfloor.db') }), point),
      ptys: cutPtys(createPtyRoom(), point),
    },
  );
  process.stdout.write(`${JSON.stringify({ url: runtime.address })}\n`);
}
