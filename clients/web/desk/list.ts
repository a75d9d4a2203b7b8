// The list of seats, those first that need a person. Always true: it is a list of links, so keys, readers and the browser's own
// back button work; every word of a program in it is shown as text.
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { PageElement } from '../element.js';
import { visible } from '../text/visible.js';
import { ago, plural, reasonShort, statusText } from '../text/wording.js';
import type { Desk, SeatState } from './desk.js';
import { byNeed, needOf } from './need.js';

const GUARD: Readonly<Record<string, string>> = {
  hold: 'guard: hold',
  'draft-aware': 'guard: draft-aware',
  'openrig-urgent': 'guard: urgent only, drafts',
  'urgent-only': 'guard: urgent only',
  'sends-only': 'guard: sends only',
};

class SeatList extends PageElement {
  static override properties = { desk: { attribute: false }, chosen: {} };
  desk!: Desk;
  chosen: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.until(this.desk.listen(() => this.requestUpdate()));
    const timer = setInterval(() => this.requestUpdate(), 1_000);
    this.until(() => clearInterval(timer));
  }

  /** Arrows move between seats, as in any list. */
  #keys(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    const links = [...this.querySelectorAll<HTMLAnchorElement>('a.seat')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
    event.preventDefault();
  }

  override render() {
    const seats = byNeed([...this.desk.seats.values()]);
    const now = seats.filter((seat) => needOf(seat).level === 'now').length;
    if (seats.length === 0) {
      return html`<div class="empty">
        ${
          this.desk.listed
            ? html`<p>No seat yet.</p><p>Start an agent in one:</p><p><code>openfloor run claude</code></p>`
            : html`<p>Looking for seats…</p>`
        }
      </div>`;
    }
    return html`
      <h2 class="list-title">
        ${plural(seats.length, 'seat')}
        ${now > 0 ? html`<span class="count now">${now} ${now === 1 ? 'needs' : 'need'} you</span>` : nothing}
      </h2>
      <ul class="seats" @keydown=${this.#keys}>
        ${repeat(
          seats,
          ({ seat }) => seat,
          (seat) => this.#row(seat),
        )}
      </ul>`;
  }

  #row(seat: SeatState) {
    const { status, presence, floor, held } = seat;
    const need = needOf(seat);
    const since = ago(Date.now() - Date.parse(status.at));
    const guard = GUARD[seat.typing_guard];
    const chips = [
      presence.composing || presence.recent ? html`<span class="chip people">typing now</span>` : nothing,
      presence.ledger === 'draft' && !presence.recent ? html`<span class="chip draft">draft</span>` : nothing,
      floor.holder ? html`<span class="chip floor">automation types</span>` : nothing,
      floor.waiting > 0
        ? html`<span class="chip wait" title=${floor.reason ?? ''}
            >${floor.waiting} waiting${floor.reason ? `: ${reasonShort(floor.reason)}` : ''}</span
          >`
        : nothing,
      held > 0 ? html`<span class="chip held">${held} held</span>` : nothing,
      guard ? html`<span class="chip guard">${guard}</span>` : nothing,
    ].filter((chip) => chip !== nothing);
    const people = presence.operators + presence.viewers;
    return html`<li>
      <a
        class="seat need-${need.level} state-${status.state}"
        href=${`#seat=${encodeURIComponent(seat.seat)}`}
        aria-current=${seat.seat === this.chosen ? 'page' : 'false'}
      >
        <span class="dot" aria-hidden="true"></span>
        <span class="name">${seat.seat}</span>
        <span class="people" title=${`${plural(presence.operators, 'operator')}, ${plural(presence.viewers, 'viewer')}`}
          >${people > 0 ? html`<span aria-hidden="true">●</span> ${people}<span class="unseen"> attached</span>` : nothing}</span
        >
        <span class="what">${statusText(status)} <span class="since">${since}</span></span>
        ${
          status.detail && need.level === 'now'
            ? html`<span class="detail">${visible(status.detail, 120)}</span>`
            : nothing
        }
        ${chips.length > 0 ? html`<span class="chips">${chips}</span>` : nothing}
      </a>
    </li>`;
  }
}
customElements.define('openfloor-seats', SeatList);
