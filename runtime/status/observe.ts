// From a complete sequence to what it carried, whatever its OSC number. Always true: one sequence gives one observation;
// what is refused says why. It judges nothing: who printed it and what it means come later.
import { assemble, NOTIFY_CODES, type OpenNotifications, parseNotify } from './notify.js';
import { PROGRAM_STATUS_CODE, type ProgramReport, parseProgramStatus } from './program-status.js';
import { isProgress, parseProgressReport } from './progress.js';
import { PROMPT_MARK_CODE, type PromptMark, parsePromptMark } from './prompt-mark.js';
import type { Observed } from './rule.js';
import { escapeText, type SequenceEvent } from './sequence.js';
import { parseTitle, TITLE_CODES } from './title.js';

export const CONCEPTS = ['program_status', 'title', 'progress', 'notify', 'prompt', 'hook'] as const;
export type Concept = (typeof CONCEPTS)[number];

export type Observation =
  | { readonly type: 'report'; readonly concept: 'program_status'; readonly report: ProgramReport }
  | {
      readonly type: 'observed';
      readonly concept: Concept;
      readonly observed: Observed;
      readonly mark?: PromptMark;
    }
  | { readonly type: 'refused'; readonly concept: Concept; readonly reason: string }
  /** An unfinished notification, a query, a number without a concept. */
  | { readonly type: 'nothing' };

const NOTHING = { type: 'nothing' } as const;

function observeNotify(
  open: OpenNotifications,
  code: number,
  body: string,
): { observation: Observation; open: OpenNotifications } {
  const parsed = parseNotify(code, body);
  if (parsed.type === 'refused')
    return { observation: { type: 'refused', concept: 'notify', reason: parsed.reason }, open };
  if (parsed.type === 'other') return { observation: NOTHING, open };
  const done = parsed.type === 'part' ? assemble(open, parsed.part) : { open, complete: parsed.notification };
  if (done.complete === undefined) return { observation: NOTHING, open: done.open };
  const observed: Observed = { on: 'notify', notification: done.complete };
  return { observation: { type: 'observed', concept: 'notify', observed }, open: done.open };
}

function observeAlone(code: number, body: string): Observation {
  if (code === PROGRAM_STATUS_CODE) {
    const parsed = parseProgramStatus(body);
    if (parsed.type === 'query') return NOTHING;
    if (parsed.type === 'report') return { ...parsed, concept: 'program_status' };
    return { ...parsed, concept: 'program_status' };
  }
  if (TITLE_CODES.includes(code)) {
    const parsed = parseTitle(body);
    if (parsed.type === 'refused') return { ...parsed, concept: 'title' };
    return { type: 'observed', concept: 'title', observed: { on: 'title', text: parsed.text } };
  }
  if (code === PROMPT_MARK_CODE) {
    const mark = parsePromptMark(body);
    if (mark.type === 'refused') return { ...mark, concept: 'prompt' };
    return { type: 'observed', concept: 'prompt', observed: { on: 'prompt', mark: mark.type }, mark };
  }
  const parsed = parseProgressReport(body);
  if (parsed.type === 'refused') return { ...parsed, concept: 'progress' };
  return { type: 'observed', concept: 'progress', observed: { on: 'progress', state: parsed.state } };
}

/** What one sequence carried. `open` holds unfinished notifications between calls. */
export function observe(
  sequence: SequenceEvent,
  open: OpenNotifications,
): { readonly observation: Observation; readonly open: OpenNotifications } {
  const { code, body } = sequence;
  if (code === 9 && isProgress(body)) return { observation: observeAlone(code, body), open };
  if (NOTIFY_CODES.includes(code)) return observeNotify(open, code, body);
  const known = code === PROGRAM_STATUS_CODE || code === PROMPT_MARK_CODE || TITLE_CODES.includes(code);
  return { observation: known ? observeAlone(code, body) : NOTHING, open };
}

/** What an observation said, escaped for display. */
export function detailOf(observed: Observed): string {
  switch (observed.on) {
    case 'title':
      return escapeText(observed.text);
    case 'progress':
      return `progress ${observed.state}`;
    case 'notify':
      return escapeText([observed.notification.title, observed.notification.body].filter(Boolean).join(': '));
    case 'prompt':
      return `prompt mark ${observed.mark}`;
  }
}
