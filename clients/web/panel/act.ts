// One thing done through the API from a button: busy while it runs, then what came of it in words. Always true: two presses are
// one call; a refusal is said with its code and next step, never swallowed. It draws only the words.
import { html, nothing, type TemplateResult } from 'lit';
import { SdkError } from '../../sdk/index.js';
import { visible } from '../text/visible.js';

export class Act {
  busy = false;
  #words = '';
  #code = '';
  #bad = false;

  constructor(readonly changed: () => void) {}

  /** `done` gives the words for success; undefined says nothing. */
  async run<Answer>(
    call: () => Promise<Answer>,
    done: (answer: Answer) => { text: string; code?: string; bad?: boolean } | undefined,
  ): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.changed();
    try {
      const said = done(await call());
      this.say(said?.text ?? '', said?.code ?? '', said?.bad ?? false);
    } catch (error) {
      if (error instanceof SdkError) this.say(`${error.message} ${error.next}`, error.reason, true);
      else this.say(String(error), '', true);
    }
    this.busy = false;
    this.changed();
  }

  say(text: string, code = '', bad = false): void {
    this.#words = text;
    this.#code = code;
    this.#bad = bad;
    this.changed();
  }

  words(): TemplateResult | typeof nothing {
    if (this.#words === '') return nothing;
    return html`<p class="came ${this.#bad ? 'bad' : 'good'}" role="status">
      ${visible(this.#words, 400)} ${this.#code ? html`<code>${this.#code}</code>` : nothing}
    </p>`;
  }
}
