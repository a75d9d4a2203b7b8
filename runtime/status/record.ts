// The records of OSC 7501 reports: one per id, the root record and its children such as subagents. Always true: at most
// RECORDS records, the least recently reported child leaves first, the root record never leaves for a child; a report
// replaces its record completely. Values are immutable. It derives no status (`fold.ts`) and has no clock.
import { type ProgramReport, ROOT_ID } from './program-status.js';

/** The protocol asks terminals to keep 64 to 256 records; an agent with more subagents than this is not believable. */
export const RECORDS = 256;

export interface StatusRecord {
  readonly report: ProgramReport;
  readonly at: number;
  readonly offset: number;
}

/** Records by id, least recently reported first. */
export type Records = ReadonlyMap<string, StatusRecord>;

export const NO_RECORDS: Records = new Map();

/** `working` and `blocked` describe a process that runs: they end with it. `idle`, `done` and `error` stay. */
function isEphemeral(record: StatusRecord): boolean {
  return record.report.state === 'working' || record.report.state === 'blocked';
}

function clearBelow(records: Records, id: string): Records {
  if (id === ROOT_ID) return NO_RECORDS;
  const kept = [...records].filter(([key]) => key !== id && !key.startsWith(`${id}/`));
  return kept.length === records.size ? records : new Map(kept);
}

/** Applies one report: replaces its record, or with `clear` removes it and all beneath it. */
export function applyReport(records: Records, record: StatusRecord): Records {
  const { id, state } = record.report;
  if (state === 'clear') return clearBelow(records, id);
  const next = new Map(records);
  next.delete(id);
  next.set(id, record);
  if (next.size > RECORDS) {
    for (const key of next.keys()) {
      if (key === ROOT_ID) continue;
      next.delete(key);
      break;
    }
  }
  return next;
}

/** A shell prompt began or the program ended: ephemeral records lapse. */
export function lapseEphemeral(records: Records): Records {
  const kept = [...records].filter(([, record]) => !isEphemeral(record));
  return kept.length === records.size ? records : new Map(kept);
}

export function rootRecord(records: Records): StatusRecord | undefined {
  return records.get(ROOT_ID);
}

/** Whether a child is at work, or waits for somebody: a blocked subagent has not finished either. */
export function childrenAtWork(records: Records): boolean {
  for (const [id, record] of records) if (id !== ROOT_ID && isEphemeral(record)) return true;
  return false;
}
