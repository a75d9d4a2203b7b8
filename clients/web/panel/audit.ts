// The audit feed, of this seat or of all, newest first. Always true: it shows records as they are; opening one shows all of its
// fields; verifying asks the server to check the whole chain.
import { html, nothing, type PropertyValues } from 'lit';
import type { AuditRecordValue } from '../../../protocol/audit.js';
import type { Desk } from '../desk/desk.js';
import { PageElement } from '../element.js';
import { visible, visibleLines } from '../text/visible.js';
import { clock, plural } from '../text/wording.js';
import { Act } from './act.js';

const SHOWN = 200;

class AuditPanel extends PageElement {
  static override properties = { desk: { attribute: false }, seat: {}, open: { type: Number } };
  desk!: Desk;
  seat = '';
  /** The record that is shown whole. */
  open: number | undefined;
  #all = false;
  readonly #verify = new Act(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.until(this.desk.listen(() => this.requestUpdate()));
  }

  override updated(changed: PropertyValues): void {
    if (!changed.has('open') || this.open === undefined) return;
    this.querySelector(`[data-record="${this.open}"]`)?.scrollIntoView({ block: 'nearest' });
  }

  override render() {
    const records = this.desk.records
      .filter(({ seat, seq }) => this.#all || seat === this.seat || seq === this.open)
      .slice(-SHOWN)
      .reverse();
    return html`
      <div class="row">
        <label class="check"><input type="checkbox" .checked=${this.#all}
          @change=${(event: Event) => {
            this.#all = (event.target as HTMLInputElement).checked;
            this.requestUpdate();
          }} /> all seats</label>
        <button class="quiet" ?disabled=${this.#verify.busy}
          @click=${() =>
            void this.#verify.run(
              () => this.desk.client.audit.verify(),
              (verdict) =>
                verdict.ok
                  ? { text: `The chain holds: ${plural(verdict.records, 'record')}.` }
                  : { text: `The chain is broken at record ${verdict.seq}.`, code: verdict.fault, bad: true },
            )}>Verify the chain</button>
      </div>
      ${this.#verify.words()}
      <ol class="feed">
        ${records.map((record) => this.#record(record))}
        ${records.length === 0 ? html`<li class="soft">Nothing yet.</li>` : nothing}
      </ol>`;
  }

  #record(record: AuditRecordValue) {
    const { seq, at, kind, seat, origin, actor, identity, message, reason, outcome } = record;
    const tone = /refused|alert|override/.test(kind)
      ? 'bad'
      : /held|guard/.test(kind)
        ? 'soon'
        : /injection/.test(kind)
          ? 'good'
          : '';
    const words = [outcome, reason].filter((part) => part && part !== 'granted').join(': ');
    return html`<li data-record=${seq} class=${tone}>
      <details ?open=${seq === this.open}>
        <summary>
          <time>${clock(at)}</time> <strong>${kind}</strong>
          ${this.#all && seat ? html`<span class="chip">${visible(seat, 70)}</span>` : nothing}
          ${words ? html`<code>${visible(words, 120)}</code>` : nothing}
          ${message ? html`<span class="message">${visible(message, 90)}</span>` : nothing}
          ${origin || actor || identity ? html`<span class="soft">${origin ?? ''} ${visible(actor ?? identity ?? '', 60)}</span>` : nothing}
        </summary>
        <pre>${visibleLines(JSON.stringify(record, null, 2), 6_000)}</pre>
      </details>
    </li>`;
  }
}
customElements.define('openfloor-audit', AuditPanel);
