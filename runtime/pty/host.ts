// The room's door: chooses how PTYs are started and how process facts are read on this machine. Always true: all that
// it hands out is behind the ports of port.ts. It holds no session.
import { createProcFacts } from './facts.js';
import { createPsFacts } from './facts-ps.js';
import { findExecutable } from './lookup.js';
import type { LineModes, ProcessFacts, PtyHost } from './port.js';
import { createLineModes } from './raw-mode.js';
import { createGenericHost } from './spawn-generic.js';
import { createLinuxHost } from './spawn-linux.js';
import { Starter } from './starter.js';

export { buildEnvironment, type Environment, type EnvironmentRequest } from './env.js';

export interface PtyHostOptions {
  /** `generic` forces the second path: node-pty's fork and `ps`. Default: what the machine offers. */
  readonly platform?: 'linux' | 'generic';
  /** Called when facts that are read beside the loop have been renewed, so that waiting requests can be judged. */
  readonly factsRenewed?: () => void;
}

export interface PtyRoom {
  readonly host: PtyHost;
  readonly facts: ProcessFacts;
  readonly lineModes: LineModes;
  /** Which way was chosen, for `doctor` and the log. */
  readonly ways: { readonly spawn: 'linux' | 'generic'; readonly facts: 'proc' | 'ps' };
}

const onPath = (name: string) => findExecutable(name, process.env.PATH, '/');
/** Architectures whose terminal ioctl numbers are those of perl-script.ts; MIPS, PowerPC and SPARC have their own. */
const KNOWN_IOCTLS = ['x64', 'arm64', 'arm', 'ia32', 'riscv64', 'loong64', 's390x'];

/** Composes the room. Throws when node-pty's addon isn't built for this machine. */
export function createPtyRoom(options: PtyHostOptions = {}): PtyRoom {
  const onLinux = process.platform === 'linux';
  const native = onLinux && options.platform !== 'generic';
  const facts = native ? createProcFacts() : createPsFacts({ renewed: options.factsRenewed });
  const perl = native && KNOWN_IOCTLS.includes(process.arch) ? onPath('perl') : undefined;
  if (perl === undefined) {
    return {
      host: createGenericHost(facts, onLinux ? onPath('bash') : undefined),
      facts,
      lineModes: createLineModes(),
      ways: { spawn: 'generic', facts: native ? 'proc' : 'ps' },
    };
  }
  const starter = new Starter(perl, facts);
  return {
    host: createLinuxHost(perl, starter, facts),
    facts,
    lineModes: createLineModes((ttyPath) => starter.lineMode(ttyPath)),
    ways: { spawn: 'linux', facts: 'proc' },
  };
}

/** The host alone, for who needs no facts. */
export function createPtyHost(options: PtyHostOptions = {}): PtyHost {
  return createPtyRoom(options).host;
}
