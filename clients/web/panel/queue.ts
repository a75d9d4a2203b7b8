// Shepherd's queue and its alerts, where Shepherd is up. Always true: rows are shown as they are, newest first, and nothing is
// changed from here; without Shepherd it says how to get one.
import { html, nothing } from 'lit';
import type { Desk } from '../desk/desk.js';
import { PageElement } from '../element.js';
import { visible } from '../text/visible.js';
import { clock } from '../text/wording.js';

interface Row {
  readonly id: string;
  readonly source: string;
  readonly destination: string;
  readonly state: string;
  readonly priority: string;
  readonly summary: string;
}

const POLL_MS = 5_000;

class QueuePanel extends PageElement {
  static override properties = { desk: { attribute: false } };
  desk!: Desk;
  #rows: readonly Row[] | undefined;
  #absent = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.until(this.desk.listen(() => this.requestUpdate()));
    const timer = setInterval(() => document.hidden || void this.#load(), POLL_MS);
    this.until(() => clearInterval(timer));
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const answer = await this.desk.client.request<{ rows: Row[] }>('GET', '/api/queue/list?limit=100');
      this.#rows = Array.isArray(answer.rows) ? answer.rows : [];
      this.#absent = false;
    } catch {
      this.#absent = true;
    }
    this.requestUpdate();
  }

  override render() {
    const alerts = this.desk.records
      .filter(({ kind }) => kind.startsWith('alert.'))
      .slice(-50)
      .reverse();
    return html`
      <h3>Queue</h3>
      ${
        this.#absent
          ? html`<p class="soft">Shepherd, which keeps the queue, is not up here.</p>`
          : this.#rows?.length === 0
            ? html`<p class="soft">Nothing is queued.</p>`
            : nothing
      }
      <ul class="cards">
        ${this.#rows?.map(
          ({ destination, source, state, priority, summary }) => html`<li>
            <p><strong>${visible(summary, 120)}</strong></p>
            <p class="soft">${visible(source, 70)} → ${visible(destination, 70)}
              <span class="chip ${state === 'blocked' ? 'wait' : ''}">${state}</span>
              ${priority === 'routine' ? nothing : html`<span class="chip wait">${priority}</span>`}</p>
          </li>`,
        )}
      </ul>
      <h3>Alerts</h3>
      ${alerts.length === 0 ? html`<p class="soft">None.</p>` : nothing}
      <ul class="cards">
        ${alerts.map(
          ({ at, kind, seat, detail }) => html`<li>
            <p><strong>${kind.slice('alert.'.length)}</strong> ${seat ? html`<span class="chip">${visible(seat, 70)}</span>` : nothing}</p>
            <p class="soft">${clock(at)} ${detail ? visible(JSON.stringify(detail), 200) : ''}</p>
          </li>`,
        )}
      </ul>`;
  }
}
customElements.define('openfloor-queue', QueuePanel);
