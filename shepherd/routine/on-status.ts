// on-status: another seat becomes idle, blocked, done or exits. Always true: the first look only remembers; a change is told
// once; a turn between two looks counts as one. Pure.
import type { Facts, SeatFacts, Verdict } from './policy.js';
import type { Memo, Routine, Turn } from './routine.js';

type Seen = Memo['seen'];

const seenOf = (seat: SeatFacts | undefined): Seen =>
  seat === undefined ? null : { generation: seat.generation, state: seat.state, turns: seat.turns };

function turnsBetween(before: Seen, seat: SeatFacts | undefined): Turn[] {
  const turns: Turn[] = [];
  const gone = before !== null && (seat === undefined || seat.generation !== before.generation);
  if (gone) turns.push('exit');
  if (seat === undefined) return turns;
  const fresh = before === null || gone;
  // The finished turns are counted, so one that is shorter than a tick is seen.
  const finished = !fresh && seat.turns > before.turns;
  if (seat.state === 'idle' && (fresh || before.state !== 'idle' || finished)) turns.push('idle');
  if (seat.state === 'blocked' && (fresh || before.state !== 'blocked' || finished)) turns.push('blocked');
  if (finished && seat.state === 'idle') turns.push('done');
  return turns;
}

const WORDS: Readonly<Record<Turn, string>> = {
  idle: 'is idle',
  blocked: 'is blocked and needs an answer',
  done: 'finished a turn',
  exit: 'has ended',
};

export function onStatus({ spec, memo }: Routine, facts: Facts): Verdict {
  const watch = spec.watch ?? '';
  if (!facts.connected) return { kind: 'skip', reason: 'activity_unknown' };
  const seat = facts.seat(watch);
  const seen = seenOf(seat);
  if (memo === null) return { kind: 'skip', reason: 'nothing_actionable', memo: { seen } };
  // What can't be told is no change, and what comes after it is compared with what was before.
  if (seat?.state === 'unknown' && memo.seen?.generation === seat.generation) {
    return { kind: 'skip', reason: 'activity_unknown' };
  }
  const wanted = spec.on ?? ['idle', 'blocked', 'exit'];
  const turns = turnsBetween(memo.seen, seat).filter((turn) => wanted.includes(turn));
  if (turns.length === 0) return { kind: 'skip', reason: 'healthy', memo: { seen } };
  const text = `${watch} ${turns.map((turn) => WORDS[turn]).join(' and ')}. Look: openfloor status ${watch}`;
  return { kind: 'send', text, memo: { seen } };
}
