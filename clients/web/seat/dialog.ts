// The question that stops the agent, with the two answers that can be given without the keyboard. Always true: only a
// permission dialog that is shown whole can be answered here, and only with "once"; the answer names this very dialog.
import { html, nothing } from 'lit';
import type { DialogValue } from '../../../protocol/status.js';
import type { Client } from '../../sdk/index.js';
import { PageElement } from '../element.js';
import { Act } from '../panel/act.js';
import { visible, visibleLines } from '../text/visible.js';
import { reasonNext, reasonText, statusText } from '../text/wording.js';

class DialogBar extends PageElement {
  static override properties = {
    client: { attribute: false },
    seat: {},
    dialog: { attribute: false },
    viewer: { type: Boolean },
    detail: {},
  };
  client!: Client;
  seat = '';
  dialog: DialogValue | undefined;
  viewer = false;
  /** What the status says of it; often more than the question's own row. */
  detail = '';
  #answered = '';
  readonly #act = new Act(() => this.requestUpdate());

  #answer(choice: 'allow_once' | 'deny_once'): void {
    const instance = this.dialog?.instance ?? '';
    void this.#act.run(
      () => this.client.seats.answer(this.seat, instance, choice),
      ({ ok, reason, error, next }) => {
        if (ok) {
          this.#answered = instance;
          return undefined;
        }
        return {
          text: `${error ?? reasonText(reason)} ${next ?? reasonNext(reason)}`,
          code: reason,
          bad: true,
        };
      },
    );
  }

  override render() {
    const { dialog } = this;
    if (!dialog || dialog.instance === this.#answered) return nothing;
    const { kind, question, options, truncated } = dialog;
    const has = (wanted: string) => options.some((option) => option.class === wanted);
    const answerable = kind === 'permission' && !truncated && !this.viewer;
    return html`<section class="dialog" aria-label="Question of the agent" data-kind=${kind}>
      <div class="asked">
        <p><strong>The agent ${statusText({ state: 'blocked', kind })}.</strong>
          ${truncated ? 'It is not shown whole: look at the terminal.' : ''}</p>
        <pre>${visibleLines(this.detail.startsWith(question) ? this.detail : question, 600)}</pre>
        ${this.#act.words()}
      </div>
      ${
        answerable
          ? html`<div class="answers">
              ${has('allow_once') ? html`<button class="primary" ?disabled=${this.#act.busy} @click=${() => this.#answer('allow_once')}>Allow once</button>` : nothing}
              ${has('deny_once') ? html`<button ?disabled=${this.#act.busy} @click=${() => this.#answer('deny_once')}>Deny once</button>` : nothing}
            </div>`
          : html`<ul class="options">${options.map(({ label }) => html`<li class="chip">${visible(label, 60)}</li>`)}</ul>`
      }
    </section>`;
  }
}
customElements.define('openfloor-dialog', DialogBar);
