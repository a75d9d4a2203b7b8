// Who has the terminal: the class of the PTY's foreground group, and the agent in it. Always true: `agent` needs the tenure
// among the members and nobody foreign; what can't be known is `foreground_other`, with its cause. Facts come in as data.

import type { Front, Tenure } from './status.js';
import {
  baseName,
  exePath,
  isCompanion,
  isInteractiveShell,
  isLauncher,
  isTenure,
  type MatchBy,
  matchProcess,
  type ProcessLike,
  type ProcessRules,
  tenureOf,
} from './tenure.js';

/** The PTY's foreground process group; `runtime/pty/port.ts` delivers this shape. */
export interface ForegroundLike {
  readonly pgid: number;
  readonly members: readonly ProcessLike[];
}

/**
 * What a member is to the tenure. `wrapper`: an ancestor, which waits for it (npx, a shim, a launcher). `helper`: a
 * descendant whose standard input is no terminal, so that it can't read what is typed (an MCP server).
 */
export type Role = 'agent' | 'wrapper' | 'companion' | 'helper' | 'shell' | 'carrier' | 'foreign';

export interface Member {
  readonly pid: number;
  readonly name: string;
  readonly role: Role;
}

export type ForegroundClass = 'agent' | 'shell' | 'carrier' | 'foreground_other';

export interface ForegroundVerdict {
  readonly class: ForegroundClass;
  /** Who speaks when bytes arrive now, for the status machine. */
  readonly front: Front;
  readonly members: readonly Member[];
  /** Only with `foreground_other`. */
  readonly cause?: 'not_known' | 'empty' | 'foreign_member' | 'multiplexer' | 'no_agent';
}

export interface ForegroundQuestion {
  readonly foreground: ForegroundLike | undefined;
  /** First process of the PTY: only this one is the session's shell. */
  readonly leaderPid: number;
  readonly tenure: Tenure | undefined;
  /** Of the tenure's pack. */
  readonly rules: ProcessRules | undefined;
  /** Base names of programs that the seat lets stand for an agent elsewhere. */
  readonly carriers: readonly string[];
}

const MULTIPLEXERS: readonly string[] = ['tmux', 'tmux: client', 'screen', 'zellij', 'dtach', 'abduco'];

function nameOf(fact: ProcessLike): string {
  return baseName(exePath(fact.exe)) || baseName(fact.argv[0] ?? '');
}

function isAncestor(fact: ProcessLike, of: ProcessLike, members: readonly ProcessLike[]): boolean {
  let ppid = of.ppid;
  for (let hops = 0; hops < members.length; hops++) {
    if (ppid === fact.pid) return true;
    const parent = members.find((member) => member.pid === ppid);
    if (parent === undefined) return false;
    ppid = parent.ppid;
  }
  return false;
}

function isCarrier(fact: ProcessLike, carriers: readonly string[]): boolean {
  return carriers.includes(nameOf(fact)) || carriers.includes(baseName(fact.argv[0] ?? ''));
}

function roleOf(fact: ProcessLike, agent: ProcessLike, question: ForegroundQuestion): Role {
  const { rules, foreground } = question;
  const members = foreground?.members ?? [];
  if (fact === agent) return 'agent';
  if (isAncestor(fact, agent, members)) return 'wrapper';
  if (rules !== undefined) {
    const by = matchProcess(fact, rules);
    if (by !== undefined && by !== 'any') return 'agent';
    if (isCompanion(fact, rules)) return 'companion';
  }
  return fact.tty === false && isAncestor(agent, fact, members) ? 'helper' : 'foreign';
}

function classifyWithAgent(agent: ProcessLike, question: ForegroundQuestion): ForegroundVerdict {
  const members = (question.foreground?.members ?? []).map(
    (fact): Member => ({ pid: fact.pid, name: nameOf(fact), role: roleOf(fact, agent, question) }),
  );
  const foreign = members.some((member) => member.role === 'foreign');
  return foreign
    ? { class: 'foreground_other', front: 'tenure', members, cause: 'foreign_member' }
    : { class: 'agent', front: 'tenure', members };
}

/** The class of the foreground group. */
export function classifyForeground(question: ForegroundQuestion): ForegroundVerdict {
  const { foreground, leaderPid, tenure, carriers } = question;
  const other = (members: readonly Member[], cause: ForegroundVerdict['cause']): ForegroundVerdict => ({
    class: 'foreground_other',
    front: 'other',
    members,
    ...(cause === undefined ? {} : { cause }),
  });
  if (foreground === undefined) return other([], 'not_known');
  const facts = foreground.members;
  if (facts.length === 0) return other([], 'empty');
  const carrier = facts.find((fact) => isCarrier(fact, carriers));
  if (carrier !== undefined) {
    const members = facts.map((fact): Member => {
      const role =
        fact === carrier || isCarrier(fact, carriers)
          ? 'carrier'
          : isAncestor(fact, carrier, facts)
            ? 'wrapper'
            : fact.tty === false && isAncestor(carrier, fact, facts)
              ? 'helper'
              : 'foreign';
      return { pid: fact.pid, name: nameOf(fact), role };
    });
    if (members.some((member) => member.role === 'foreign')) return other(members, 'foreign_member');
    return { class: 'carrier', front: 'carrier', members };
  }
  const agent = tenure && facts.find((fact) => isTenure(fact, tenure));
  if (agent !== undefined) return classifyWithAgent(agent, question);
  const members = facts.map((fact): Member => {
    const shell = fact.pid === leaderPid && isInteractiveShell(fact);
    return { pid: fact.pid, name: nameOf(fact), role: shell ? 'shell' : 'foreign' };
  });
  if (members.every((member) => member.role === 'shell')) return { class: 'shell', front: 'shell', members };
  return other(
    members,
    members.some((member) => MULTIPLEXERS.includes(member.name)) ? 'multiplexer' : 'no_agent',
  );
}

/** A pack as recognition needs it. */
export interface RecognisingPack {
  readonly name: string;
  readonly process: ProcessRules;
}

export interface FoundTenure<Pack extends RecognisingPack> {
  readonly pack: Pack;
  readonly tenure: Tenure;
  readonly by: MatchBy;
}

function best(
  members: readonly ProcessLike[],
  rules: ProcessRules,
): { readonly fact: ProcessLike; readonly by: MatchBy } | undefined {
  const matches = members.flatMap((fact) => {
    const by = matchProcess(fact, rules);
    return by === undefined ? [] : [{ fact, by }];
  });
  const real = matches.filter((match) => match.by !== 'shim');
  // A pack that takes any program must not take the launcher in front of it.
  const started = real.filter((match) => match.by !== 'any' || !isLauncher(match.fact));
  const candidates = [started, real, matches].find((list) => list.length > 0) ?? [];
  // An agent that starts itself again as a child (Gemini CLI does) is the topmost one.
  const top = candidates.filter(
    ({ fact }) => !candidates.some((above) => isAncestor(above.fact, fact, members)),
  );
  return top.sort((a, b) => a.fact.pid - b.fact.pid)[0];
}

/**
 * The agent among the members of a foreground group: of the first pack that matches, the topmost match. `packs` is the
 * seat's named pack alone, or every pack in order for `auto` (those that match any program left out).
 */
export function findTenure<Pack extends RecognisingPack>(
  foreground: ForegroundLike,
  packs: readonly Pack[],
): FoundTenure<Pack> | undefined {
  for (const pack of packs) {
    const match = best(foreground.members, pack.process);
    if (match !== undefined) return { pack, tenure: tenureOf(match.fact, pack.process), by: match.by };
  }
  return undefined;
}
