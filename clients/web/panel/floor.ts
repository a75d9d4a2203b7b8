// What the floor of a seat says now, who waits, and a box to send. Always true: a send from here is judged like any other; the
// rows are the decision's own, in its order, with their evidence.
import { html, nothing } from 'lit';
import type { FloorAnswer } from '../../../protocol/transport.js';
import type { Receipt } from '../../sdk/index.js';
import type { Desk } from '../desk/desk.js';
import { PageElement } from '../element.js';
import { visible } from '../text/visible.js';
import { ago, bytesText, OUTCOME_TEXT, reasonNext, reasonShort, reasonText } from '../text/wording.js';
import { Act } from './act.js';

const WAITS = [
  { ms: 0, label: 'decide now' },
  { ms: 60_000, label: 'wait 1 min' },
  { ms: 600_000, label: 'wait 10 min' },
];

class FloorPanel extends PageElement {
  static override properties = { desk: { attribute: false }, seat: {} };
  desk!: Desk;
  seat = '';
  #waitMs = 60_000;
  #sends = new Set<string>();
  readonly #send = new Act(() => this.requestUpdate());
  readonly #settle = new Act(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.until(this.desk.listen(() => this.requestUpdate()));
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const field = form.querySelector('textarea');
    const text = field?.value ?? '';
    const urgent = form.querySelector<HTMLInputElement>('input[name=urgent]')?.checked ?? false;
    if (text.trim() === '' || !field) return;
    field.value = '';
    const { seat } = this;
    const waitMs = this.#waitMs;
    if (waitMs === 0) {
      void this.#send.run(() => this.desk.client.send({ seat, text, urgent }), receiptWords);
      return;
    }
    // A wait is not a reason to lock the box: the next message may be sent meanwhile.
    this.#sends.add(text);
    this.#send.say('Asked for the floor; it stands on the band until it is typed.');
    this.desk.look();
    this.desk.client
      .send({ seat, text, urgent, wait_ms: waitMs })
      .then((receipt) => {
        const { text: words, code, bad } = receiptWords(receipt);
        this.#send.say(words, code, bad);
      })
      .catch((error: Error) => this.#send.say(error.message, '', true))
      .finally(() => {
        this.#sends.delete(text);
        this.requestUpdate();
      });
  }

  override render() {
    const answer = this.desk.seats.get(this.seat)?.floorAnswer;
    return html`
      <form class="send" @submit=${this.#submit}>
        <label for="send">Send when it is safe</label>
        <textarea id="send" rows="3" placeholder="Message for the agent" spellcheck="true"
          @keydown=${(event: KeyboardEvent) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
              this.querySelector('form')?.requestSubmit();
          }}></textarea>
        <div class="row">
          <select aria-label="How long it may wait"
            @change=${(event: Event) => {
              this.#waitMs = Number((event.target as HTMLSelectElement).value);
            }}>
            ${WAITS.map(({ ms, label }) => html`<option value=${ms} ?selected=${ms === this.#waitMs}>${label}</option>`)}
          </select>
          <label class="check"><input type="checkbox" name="urgent" /> urgent</label>
          <button class="primary" ?disabled=${this.#send.busy}>Send</button>
        </div>
        ${this.#send.words()}
      </form>
      ${answer && answer.waiting.length > 0 ? this.#waiting(answer) : nothing}
      ${
        answer
          ? html`<h3>What the floor checks</h3>
              <ol class="checks">
                ${answer.rows.map(
                  ({ row, title, result, reason, cause, evidence }) => html`<li class="check-${result}">
                    <details>
                      <summary>
                        <span class="sign" aria-hidden="true">${result === 'pass' ? '✓' : result === 'wait' ? '…' : '✕'}</span>
                        <span>${title}</span>
                        ${reason ? html`<code>${reason}${cause ? ` · ${cause}` : ''}</code>` : nothing}
                        <span class="unseen">${result}, row ${row}</span>
                      </summary>
                      <p>${reason ? `${reasonText(reason)} ${reasonNext(reason)}` : 'Nothing in the way here.'}</p>
                      ${Object.keys(evidence).length > 0 ? html`<pre>${visible(JSON.stringify(evidence), 600)}</pre>` : nothing}
                    </details>
                  </li>`,
                )}
              </ol>`
          : nothing
      }
      <div class="row">
        <button ?disabled=${this.#settle.busy}
          title="Say that nothing unsent is left of an earlier message"
          @click=${() =>
            void this.#settle.run(
              () => this.desk.client.seats.settle(this.seat),
              () => ({ text: 'Settled: earlier text no longer holds the floor.' }),
            )}>Settle</button>
        <span class="hint">An earlier message is known to be done with.</span>
      </div>
      ${this.#settle.words()}`;
  }

  #waiting(answer: FloorAnswer) {
    const now = Date.now();
    return html`<h3>Waiting</h3>
      <ul class="cards">
        ${answer.waiting.map(
          ({
            id,
            origin,
            identity,
            urgent,
            bytes,
            accepted_at,
            deadline_at,
            reason,
          }) => html`<li data-request=${id}>
            <p><strong>${origin}</strong> of ${visible(identity, 60)} ${urgent ? html`<span class="chip wait">urgent</span>` : nothing}</p>
            <p class="soft">${bytesText(bytes)}, for ${ago(now - Date.parse(accepted_at))}, gives up in
              ${ago(Date.parse(deadline_at) - now)}</p>
            ${reason ? html`<p>${reasonShort(reason)} <code>${reason}</code></p>` : nothing}
          </li>`,
        )}
      </ul>`;
  }
}
customElements.define('openfloor-floor', FloorPanel);

function receiptWords(receipt: Receipt): { text: string; code: string; bad: boolean } {
  const { outcome, reason, error, next } = receipt;
  const words = OUTCOME_TEXT[outcome] ?? outcome;
  const why = receipt.ok ? '' : ` ${error ?? reasonText(reason)} ${next ?? reasonNext(reason)}`;
  return {
    text: `${words.charAt(0).toUpperCase()}${words.slice(1)}.${why}`,
    code: reason,
    bad: !receipt.ok,
  };
}
