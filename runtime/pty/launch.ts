// Starts a program as leader of a new process session on a PTY whose master is ours, on Linux. Always true: the master
// is close-on-exec, so no later child of this process inherits it; the child has descriptors 0 to 2 and no others; the
// answer comes when the program itself runs, or says why it doesn't. It reads no output.
//
// Opening /dev/ptmx ourselves gives a close-on-exec master, but leaves the slave locked and the child without a
// controlling terminal, and Node has no ioctl. A few lines of perl (essential on Debian, part of every git install) do
// both in the child and then become the program: the same process, the same pid.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { getSystemErrorName } from 'node:util';
import type { PtyAddon } from './addon.js';
import { KEPT, keepPast } from './kept-env.js';
import { type PtyExit, type PtySpawn, PtySpawnError } from './port.js';

/** Where the master and the pipe that tells of failures are in the child. */
const MASTER_FD = 3;
const REPORT_FD = 4;
/** The child's one message is shorter; more is not read. */
const REPORT_CHARACTERS = 200;

// 0x40045431 TIOCSPTLCK, 0x5401 TCGETS, 0x5402 TCSETS, 0x4000 IUTF8, 436 close_range. Opening the terminal without
// O_NOCTTY as a session leader makes it the controlling terminal. perl marks its own descriptors close-on-exec: the
// report pipe ends when the program starts.
const SCRIPT = `
open my $master, "+<&=", ${MASTER_FD}; open my $report, "+<&=", ${REPORT_FD};
sub fail { syswrite $report, $_[0] . " " . ($! + 0); exit 127 }
syscall 436, ${REPORT_FD + 1}, 0xffffffff, 0;
my $no = pack "i", 0;
ioctl $master, 0x40045431, $no or fail "unlock";
my ($terminal, $program) = splice @ARGV, 0, 2;
open STDIN, "+<", $terminal or fail "open"; open STDOUT, ">&0"; open STDERR, ">&0";
my $mode = "";
if (ioctl STDIN, 0x5401, $mode) {
  $mode = pack("L", unpack("L", $mode) | 0x4000) . substr $mode, 4; ioctl STDIN, 0x5402, $mode;
}
for (keys %ENV) { $ENV{$1} = delete $ENV{$_} if /^${KEPT}(.*)/s }
exec { $program } @ARGV; fail "exec";
`;

export interface Launched {
  readonly pid: number;
  readonly master: number;
  readonly ttyPath: string;
  /** Settles when the leader has ended; never rejects. */
  readonly exited: Promise<PtyExit>;
}

interface Master {
  readonly fd: number;
  readonly ttyPath: string;
}

function openMaster(): Master {
  const fd = openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  const index = /^tty-index:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
  if (index === undefined) {
    closeSync(fd);
    throw new Error('the kernel does not tell the number of a PTY');
  }
  return { fd, ttyPath: `/dev/pts/${index}` };
}

/** Settles when the program runs; rejects with the child's own message when it could not be started. */
function running(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let report = '';
    const pipe = child.stdio[REPORT_FD] as Readable;
    pipe.setEncoding('latin1');
    pipe.on('data', (text: string) => {
      report = (report + text).slice(0, REPORT_CHARACTERS);
    });
    pipe.on('error', () => {});
    pipe.on('close', () => {
      if (report === '') return resolve();
      const [step, errno] = report.split(' ');
      const why = getSystemErrorName(-Number(errno));
      reject(
        new PtySpawnError('spawn_failed', `${JSON.stringify(name)} could not be started: ${step} ${why}`),
      );
    });
    child.on('error', (error) => reject(new PtySpawnError('spawn_failed', error.message)));
  });
}

/** Starts `program` for `spec`. Rejects with PtySpawnError spawn_failed; then nothing is left open. */
export async function launch(
  perl: string,
  program: string,
  spec: PtySpawn,
  addon: PtyAddon,
): Promise<Launched> {
  let master: Master;
  try {
    master = openMaster();
  } catch (error) {
    throw new PtySpawnError('spawn_failed', `no PTY: ${(error as Error).message}`);
  }
  try {
    addon.resize(master.fd, spec.cols, spec.rows);
    const child = spawn(perl, ['-e', SCRIPT, '--', master.ttyPath, program, ...spec.command], {
      cwd: spec.cwd,
      env: keepPast(spec.env, (name) => name.startsWith('PERL')),
      detached: true, // a process session of its own, so that the terminal can become the controlling one
      stdio: ['ignore', 'ignore', 'ignore', master.fd, 'pipe'],
    });
    const exited = new Promise<PtyExit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    await running(child, spec.command[0]);
    return { pid: child.pid ?? 0, master: master.fd, ttyPath: master.ttyPath, exited };
  } catch (error) {
    closeSync(master.fd);
    if (error instanceof PtySpawnError) throw error;
    throw new PtySpawnError('spawn_failed', (error as Error).message);
  }
}
