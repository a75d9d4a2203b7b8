// When a routine is due: an interval, a cron line in a time zone, or one time. Always true: times that were missed are one
// time; a next time is always later than now. Pure: now is given; the time zones are those of Node.
import { Cron } from 'croner';
import type { TimeMs } from '../port.js';

export type Schedule =
  | { readonly kind: 'interval'; readonly everyMs: number }
  /** Five fields, or six with seconds first. */
  | { readonly kind: 'cron'; readonly line: string; readonly timeZone: string }
  | { readonly kind: 'once'; readonly at: TimeMs };

/** The ticker's own step: anything shorter is due at every tick. */
export const INTERVAL_MIN_MS = 1_000;
/** Longer is a mistake in the unit. */
export const INTERVAL_MAX_MS = 366 * 86_400_000;
const LINE_CHARS = 200;

/** What is wrong with a schedule, a sentence; undefined when nothing is. */
export function scheduleFault(schedule: Schedule, now: TimeMs): string | undefined {
  switch (schedule.kind) {
    case 'interval': {
      const { everyMs } = schedule;
      const fine = Number.isInteger(everyMs) && everyMs >= INTERVAL_MIN_MS && everyMs <= INTERVAL_MAX_MS;
      return fine ? undefined : 'An interval is a whole number of milliseconds from 1 second to 366 days.';
    }
    case 'once':
      return Number.isSafeInteger(schedule.at) && schedule.at >= 0 && schedule.at <= now + INTERVAL_MAX_MS
        ? undefined
        : 'The time of a one-shot routine is at most 366 days away.';
    case 'cron':
      return cronFault(schedule, now);
  }
}

function cronFault({ line, timeZone }: Extract<Schedule, { kind: 'cron' }>, now: TimeMs): string | undefined {
  if (line.length > LINE_CHARS) return `A cron line has at most ${LINE_CHARS} characters.`;
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    return `There is no time zone ${JSON.stringify(timeZone.slice(0, 64))}; use a name such as Europe/Berlin.`;
  }
  try {
    if (cronNext(line, timeZone, now) !== undefined) return undefined;
    return `The cron line ${JSON.stringify(line)} never comes.`;
  } catch {
    return `${JSON.stringify(line)} is no cron line of five fields, or six with seconds first.`;
  }
}

function cronNext(line: string, timeZone: string, after: TimeMs): TimeMs | undefined {
  const cron = new Cron(line, { timezone: timeZone, mode: '5-or-6-parts' });
  return cron.nextRun(new Date(after))?.getTime();
}

/** When a new routine is due first: an interval at once, the others at their time. */
export function firstDue(schedule: Schedule, now: TimeMs): TimeMs | null {
  if (schedule.kind === 'interval') return now;
  return schedule.kind === 'once' ? schedule.at : (cronNext(schedule.line, schedule.timeZone, now) ?? null);
}

/** When it is due after `dueAt`, looked at `now`. An interval keeps its beat. */
export function nextDue(
  schedule: Schedule,
  scanMs: number | null,
  dueAt: TimeMs,
  now: TimeMs,
): TimeMs | null {
  switch (schedule.kind) {
    case 'interval': {
      const step = scanMs ?? schedule.everyMs;
      return dueAt > now ? dueAt : dueAt + (Math.floor((now - dueAt) / step) + 1) * step;
    }
    case 'cron':
      return cronNext(schedule.line, schedule.timeZone, now) ?? null;
    case 'once':
      return null;
  }
}
