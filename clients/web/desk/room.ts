// The operator's room: seats on one side, the chosen seat on the other. Always true: which seat is chosen stands in the
// address, so back, reload and a second tab work; on a phone one of the two is shown at a time.
import { html, nothing } from 'lit';
import { PageElement } from '../element.js';
import { readFragment } from '../pass.js';
import type { Desk } from './desk.js';
import { byNeed, needOf } from './need.js';
import './list.js';

class Room extends PageElement {
  static override properties = { desk: { attribute: false }, base: {}, first: {} };
  desk!: Desk;
  base = '';
  first: string | undefined;
  #seat: string | undefined;
  /** The first listing chooses a seat where there is room for two columns. */
  #chose = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#seat = this.first;
    this.until(this.desk.listen(() => this.requestUpdate()));
    const moved = () => {
      const arrival = readFragment(location.hash);
      this.#seat = arrival.kind === 'seat' ? arrival.seat : undefined;
      this.#chose = true;
      this.requestUpdate();
    };
    window.addEventListener('hashchange', moved);
    this.until(() => window.removeEventListener('hashchange', moved));
  }

  override willUpdate(): void {
    if (this.#chose || !this.desk.listed) return;
    this.#chose = true;
    const first = byNeed([...this.desk.seats.values()])[0]?.seat;
    if (this.#seat === undefined && first !== undefined && matchMedia('(min-width: 760px)').matches) {
      this.#seat = first;
      history.replaceState(null, '', `#seat=${encodeURIComponent(first)}`);
    }
  }

  override updated(): void {
    const needy = [...this.desk.seats.values()].filter((seat) => needOf(seat).level === 'now').length;
    document.title = `${needy > 0 ? `(${needy}) ` : ''}${this.#seat ? `${this.#seat} · ` : ''}Openfloor`;
  }

  override render() {
    const { line } = this.desk;
    const words = { opening: 'connecting', live: 'live', lost: 'connection lost, trying again' }[line.kind];
    return html`
      <div class="room ${this.#seat ? 'has-seat' : 'no-seat'}">
        <nav aria-label="Seats">
          <header>
            <h1 class="brand"><span class="mark" aria-hidden="true"></span>Openfloor</h1>
            <span class="line ${line.kind}" role="status" title=${line.kind === 'lost' ? line.reason : ''}
              ><span class="dot" aria-hidden="true"></span>${words}</span
            >
          </header>
          <openfloor-seats .desk=${this.desk} .chosen=${this.#seat}></openfloor-seats>
          <footer>
            <button class="quiet" @click=${() => this.dispatchEvent(new CustomEvent('leave'))}>Log out</button>
          </footer>
        </nav>
        <main>
          ${
            this.#seat
              ? html`<openfloor-seat
                  .desk=${this.desk}
                  .client=${this.desk.client}
                  .seat=${this.#seat}
                  .base=${this.base}
                ></openfloor-seat>`
              : html`<div class="empty big">
                  ${this.desk.seats.size > 0 ? html`<p>Choose a seat.</p>` : nothing}
                </div>`
          }
        </main>
      </div>`;
  }
}
customElements.define('openfloor-room', Room);
