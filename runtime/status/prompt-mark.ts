// OSC 133, the shell's prompt marks: A prompt begins, B input begins, C output begins, D command finished with a status.
// Always true: `at_input` holds only from a B until the next mark, so a prompt that redraws itself (A, B again) stays
// honest. The marks speak for a shell, never for an agent; where the cursor stands is the screen model's knowledge.

export const PROMPT_MARK_CODE = 133;

/** Longest body read: a letter and its options. */
export const PROMPT_MARK_BYTES = 256;

export type PromptMark =
  | { readonly type: 'prompt_start' }
  | { readonly type: 'input_start' }
  | { readonly type: 'output_start' }
  | { readonly type: 'finished'; readonly exit?: number }
  | { readonly type: 'refused'; readonly reason: 'mark_too_long' | 'mark_unknown' };

/** Reads the body of OSC 133. Options after the letter are ignored, except the exit status of D (0..255). */
export function parsePromptMark(body: string): PromptMark {
  if (body.length > PROMPT_MARK_BYTES) return { type: 'refused', reason: 'mark_too_long' };
  const [letter, option = ''] = body.split(';');
  switch (letter) {
    case 'A':
      return { type: 'prompt_start' };
    case 'B':
      return { type: 'input_start' };
    case 'C':
      return { type: 'output_start' };
    case 'D': {
      const exit = /^[0-9]{1,3}$/.test(option) && Number(option) <= 255 ? Number(option) : undefined;
      return exit === undefined ? { type: 'finished' } : { type: 'finished', exit };
    }
    default:
      return { type: 'refused', reason: 'mark_unknown' };
  }
}

/** Where the shell stands by its marks. `offset` is the end of the mark that said so. */
export type PromptState =
  | { readonly at: 'unmarked' }
  | { readonly at: 'prompt' | 'at_input' | 'running' | 'finished'; readonly offset: number };

/** The state after one mark; a refused one changes nothing. */
export function foldPrompt(state: PromptState, mark: PromptMark, offset: number): PromptState {
  switch (mark.type) {
    case 'prompt_start':
      return { at: 'prompt', offset };
    case 'input_start':
      return { at: 'at_input', offset };
    case 'output_start':
      return { at: 'running', offset };
    case 'finished':
      return { at: 'finished', offset };
    case 'refused':
      return state;
  }
}
