// The typing guard of a seat and the messages it kept. Always true: a mode needs a reason, which stands in the audit feed;
// looking at a kept message sends nothing; retiring keeps its evidence.
import { html, nothing, type PropertyValues } from 'lit';
import type { HeldEntry } from '../../../protocol/guard.js';
import type { Desk } from '../desk/desk.js';
import { PageElement } from '../element.js';
import { visible, visibleLines } from '../text/visible.js';
import { ago, plural, reasonShort } from '../text/wording.js';
import { Act } from './act.js';

const MODES = [
  ['off', 'Everybody may ask. A draft still stops automation.'],
  ['draft-aware', 'Everybody may ask; the composer must be seen empty.'],
  ['openrig-urgent', 'Only urgent messages and notices; composer seen empty.'],
  ['urgent-only', 'Only urgent messages; composer seen empty.'],
  ['sends-only', 'Messages, no notices.'],
  ['hold', 'Nobody. Everything is kept.'],
] as const;

class KeptPanel extends PageElement {
  static override properties = { desk: { attribute: false }, seat: {} };
  desk!: Desk;
  seat = '';
  #items: readonly HeldEntry[] = [];
  #total = 0;
  #known = -1;
  #wanted: string | undefined;
  readonly #guard = new Act(() => this.requestUpdate());
  readonly #retire = new Act(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.until(
      this.desk.listen(() => {
        if (this.desk.seats.get(this.seat)?.held !== this.#known) void this.#load();
        this.requestUpdate();
      }),
    );
    void this.#load();
  }

  override updated(changed: PropertyValues): void {
    if (changed.get('seat') === undefined) return;
    this.#items = [];
    this.#wanted = undefined;
    void this.#load();
  }

  async #load(): Promise<void> {
    const { seat } = this;
    this.#known = this.desk.seats.get(seat)?.held ?? 0;
    try {
      const { items, total } = await this.desk.client.seats.held(seat, { limit: 50 });
      if (seat !== this.seat) return;
      this.#items = items;
      this.#total = total;
    } catch {
      // The list keeps what it had; the desk says that the line is lost.
    }
    this.requestUpdate();
  }

  #set(event: SubmitEvent): void {
    event.preventDefault();
    const reason = this.querySelector<HTMLInputElement>('input[name=reason]')?.value ?? '';
    const mode = this.#wanted ?? this.desk.seats.get(this.seat)?.typing_guard ?? 'off';
    void this.#guard.run(
      () => this.desk.client.seats.setGuard(this.seat, mode, reason),
      ({ effective, desired, pending }) => {
        this.#wanted = undefined;
        this.desk.look();
        return {
          text: pending ? `Takes effect when the text under way is done: ${desired}.` : `Now ${effective}.`,
        };
      },
    );
  }

  override render() {
    const mode = this.desk.seats.get(this.seat)?.typing_guard ?? 'off';
    const shown = this.#wanted ?? mode;
    return html`
      <form class="guard" @submit=${this.#set}>
        <h3>Typing guard: who may ask</h3>
        <div class="modes" role="radiogroup" aria-label="Typing guard">
          ${MODES.map(
            ([name, words]) => html`<label class="mode ${name === mode ? 'is' : ''}">
              <input type="radio" name="mode" value=${name} .checked=${name === shown}
                @change=${() => {
                  this.#wanted = name;
                  this.requestUpdate();
                }} />
              <span><strong>${name}</strong> <span class="soft">${words}</span></span>
            </label>`,
          )}
        </div>
        <label class="unseen" for="why">Reason</label>
        <div class="row">
          <input id="why" name="reason" required placeholder="Reason, for the audit feed" />
          <button ?disabled=${this.#guard.busy || shown === mode}>Set</button>
        </div>
        ${this.#guard.words()}
      </form>
      <h3>${this.#total > 0 ? plural(this.#total, 'kept message') : 'No message is kept'}</h3>
      ${this.#retire.words()}
      <ul class="cards">
        ${this.#items.map(
          (item) => html`<li>
            <p><strong>${item.origin}</strong> of ${visible(item.actor ?? item.identity, 60)}
              ${item.urgent ? html`<span class="chip wait">urgent</span>` : nothing}</p>
            <pre>${visibleLines(item.body, 600)}</pre>
            <p class="soft">${item.reason ? reasonShort(item.reason) : ''}${item.held_at ? `, ${ago(Date.now() - Date.parse(item.held_at))} ago` : ''}
              ${item.reason ? html`<code>${item.reason}</code>` : nothing}</p>
            <button ?disabled=${this.#retire.busy}
              @click=${() =>
                void this.#retire.run(
                  () => this.desk.client.seats.retire(this.seat, item.id, 'retired on the page'),
                  () => {
                    void this.#load();
                    return { text: 'Retired; its evidence stays in the audit feed.' };
                  },
                )}>Retire</button>
          </li>`,
        )}
      </ul>`;
  }
}
customElements.define('openfloor-kept', KeptPanel);
