// What a message tells the demo agent to do. Always true: a message is either one of these commands, whole, or plain text
// that is answered. Durations are milliseconds, at most a day. It does nothing itself.

export type Task =
  | { readonly is: 'answer'; readonly text: string; readonly ms: number }
  | { readonly is: 'ask'; readonly command: string }
  | { readonly is: 'question'; readonly open: boolean }
  | { readonly is: 'background'; readonly kind: 'agents' | 'shells'; readonly ms: number }
  | { readonly is: 'print'; readonly lines: number }
  | { readonly is: 'child'; readonly ms: number }
  | { readonly is: 'stall'; readonly ms: number }
  | { readonly is: 'exit'; readonly code: number }
  | { readonly is: 'crash' };

/** How long a turn takes when nothing else is asked for. */
export const TURN_MS = 300;
const LONGEST_MS = 86_400_000;
const MOST_LINES = 10_000;

export const TASK_LINES: readonly string[] = [
  'work 2s            works so long',
  'say TEXT           answers with the text',
  'ask [COMMAND]      asks for permission to run a command',
  'question [open]    asks a question, or one that takes text',
  'background agents 3s | background shells 3s',
  'print 100          answers with so many lines',
  'child 2s           starts a program that shares the terminal',
  'stall 2s           reads nothing for so long',
  'exit [CODE] | crash',
];

function milliseconds(text: string): number {
  const [, number = '', unit = 's'] = /^(\d{1,8}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(text) ?? [];
  if (number === '') return TURN_MS;
  const factor = unit === 'ms' ? 1 : unit === 'm' ? 60_000 : 1000;
  return Math.min(LONGEST_MS, Math.round(Number(number) * factor));
}

/** The task of a message. */
export function taskOf(message: string): Task {
  const text = message.trim();
  const [verb = '', first = '', second = ''] = text.split(/\s+/);
  const rest = text.slice(verb.length).trim();
  const alone = first === '';
  const oneWord = second === '';
  const duration = /^\d+(?:\.\d+)?(?:ms|s|m)?$/.test(first);
  if (verb === 'work' && duration && oneWord) {
    return { is: 'answer', text: `Worked for ${first}.`, ms: milliseconds(first) };
  }
  if (verb === 'say' && !alone) return { is: 'answer', text: rest, ms: TURN_MS };
  if (verb === 'ask') return { is: 'ask', command: rest || 'touch demo.txt' };
  if (verb === 'question' && (alone || (first === 'open' && oneWord))) {
    return { is: 'question', open: !alone };
  }
  const kinds = { agent: 'agents', agents: 'agents', shell: 'shells', shells: 'shells' } as const;
  if (verb === 'background' && Object.hasOwn(kinds, first)) {
    return { is: 'background', kind: kinds[first as keyof typeof kinds], ms: milliseconds(second || '3s') };
  }
  if (verb === 'print' && /^\d{1,5}$/.test(first) && oneWord) {
    return { is: 'print', lines: Math.min(MOST_LINES, Number(first)) };
  }
  if (verb === 'child' && duration && oneWord) return { is: 'child', ms: milliseconds(first) };
  if (verb === 'stall' && duration && oneWord) return { is: 'stall', ms: milliseconds(first) };
  if (verb === 'exit' && (alone || (/^\d{1,3}$/.test(first) && oneWord))) {
    return { is: 'exit', code: Number(first) & 255 };
  }
  if (verb === 'crash' && alone) return { is: 'crash' };
  if (text === '/compact') return { is: 'answer', text: 'Compacted.', ms: TURN_MS };
  return { is: 'answer', text: answerTo(text), ms: TURN_MS };
}

function answerTo(text: string): string {
  if (text === '?' || text === 'help' || text === '/help') return TASK_LINES.join('\n');
  const [line = ''] = text.split('\n');
  const lines = text.split('\n').length;
  const heard = line.length > 60 ? `${line.slice(0, 60)}…` : line;
  return `I read ${text.length} characters${lines > 1 ? ` in ${lines} lines` : ''}: ${heard}`;
}
