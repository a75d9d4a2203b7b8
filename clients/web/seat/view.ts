// One seat: who it is, what it does, its terminal, and what the terminal asks or has lost. Always true: what stands between
// the person and the keyboard is said in words with the button that helps; another seat is another stay.
import { html, nothing, type PropertyValues } from 'lit';
import type { AttachMode } from '../../../protocol/frame.js';
import type { Client } from '../../sdk/index.js';
import type { Desk, SeatState } from '../desk/desk.js';
import { PageElement } from '../element.js';
import type { Tab } from '../panel/side.js';
import { viewLink } from '../pass.js';
import { visible } from '../text/visible.js';
import { ago, plural, reasonNext, reasonText, statusText } from '../text/wording.js';
import { emptyTimeline, seeKey, seeStatus, type Timeline } from '../timeline/model.js';
import { type Verdict, verdictOf } from '../timeline/tell.js';
import { barOf } from './bar.js';
import { Stay } from './stay.js';
import '../panel/side.js';
import '../timeline/band.js';
import './dialog.js';

/** How often the floor is asked about the seat that is looked at; changes ask sooner. */
const EXPLAIN_MS = 2_000;
const EXPLAIN_SOON_MS = 150;

class SeatView extends PageElement {
  static override properties = {
    desk: { attribute: false },
    client: { attribute: false },
    seat: {},
    base: {},
    token: { attribute: false },
    viewer: { type: Boolean },
  };
  desk: Desk | undefined;
  client!: Client;
  seat = '';
  base = '';
  token: string | undefined;
  viewer = false;
  #stay: Stay | undefined;
  /** For a viewer, who has no desk: what the attachment itself tells. */
  #heard: Partial<SeatState> = {};
  #timeline: Timeline = emptyTimeline();
  #link = '';
  #tab: Tab = matchMedia('(max-width: 1099px)').matches ? 'terminal' : 'floor';
  #record: number | undefined;
  #finding = false;
  #aloud = false;
  #soon: ReturnType<typeof setTimeout> | undefined;
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.desk) {
      this.until(this.desk.listen(() => this.requestUpdate()));
      const timer = setInterval(() => document.hidden || this.#explain(), EXPLAIN_MS);
      this.until(() => clearInterval(timer));
    }
    const themed = () => this.#stay?.screen.setDark(this.#dark.matches);
    this.#dark.addEventListener('change', themed);
    this.until(() => this.#dark.removeEventListener('change', themed));
    this.until(() => {
      this.#stay?.dispose();
      this.#stay = undefined;
    });
  }

  override updated(changed: PropertyValues): void {
    if (!changed.has('seat') && this.#stay) return;
    this.#stay?.dispose();
    this.#heard = {};
    this.#timeline = this.desk?.timeline(this.seat) ?? emptyTimeline();
    this.#link = '';
    const host = this.querySelector<HTMLElement>('.terminal');
    if (host) this.#stay = this.#open(host);
    this.#explain();
    this.requestUpdate();
  }

  #open(host: HTMLElement): Stay {
    const { seat } = this;
    const narrow = matchMedia('(max-width: 759px)').matches;
    const stay = new Stay(
      {
        client: this.client,
        seat,
        mode: this.viewer ? 'view' : 'join',
        token: this.token,
        dark: this.#dark.matches,
        fontSize: narrow ? 12 : 14,
        changed: () => this.requestUpdate(),
        typed: () => this.desk?.typed(seat),
        heard: (name, frame) => {
          this.#hear(name, frame as never);
        },
      },
      host,
    );
    stay.screen.leave = () => this.#leaveTerminal();
    if (!narrow) stay.screen.focus();
    return stay;
  }

  /** Tab belongs to the program; this is the way out of it. */
  #leaveTerminal(): void {
    this.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
  }

  #explain(): void {
    if (!this.desk || this.#soon !== undefined) return;
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      if (this.isConnected && this.desk?.seats.has(this.seat)) void this.desk.explain(this.seat);
    }, EXPLAIN_SOON_MS);
  }

  #hear(name: string, frame: Record<string, unknown>): void {
    if (this.desk) {
      this.desk.look();
      this.#explain();
      return;
    }
    if (name === 'status') {
      this.#heard = { ...this.#heard, status: frame as never };
      seeStatus(this.#timeline, frame as never, Date.now());
    } else if (name === 'presence') {
      this.#heard = { ...this.#heard, presence: frame as never };
      if (typeof frame.last_key_at === 'string') seeKey(this.#timeline, Date.parse(frame.last_key_at));
    } else if (name === 'floor') this.#heard = { ...this.#heard, floor: frame as never };
    this.requestUpdate();
  }

  /** For tests and measurements. */
  get terminal() {
    return this.#stay?.screen.terminal;
  }

  /** What the terminal shows, a line each. */
  get screenText(): string {
    const { terminal } = this;
    if (!terminal) return '';
    const { baseY, getLine } = terminal.buffer.active;
    const line = getLine.bind(terminal.buffer.active);
    return Array.from({ length: terminal.rows }, (_, row) => line(baseY + row)?.translateToString(true)).join(
      '\n',
    );
  }

  get #state(): Partial<SeatState> {
    return this.desk?.seats.get(this.seat) ?? this.#heard;
  }

  get #verdict(): Verdict | undefined {
    const { floorAnswer, floor } = this.#state;
    if (floorAnswer) return verdictOf(floorAnswer, Date.now());
    if (!floor || floor.waiting === 0 || floor.reason === null) return undefined;
    const { reason: code, waiting, since } = floor;
    const text = `${plural(waiting, 'request')} ${waiting === 1 ? 'waits' : 'wait'}, since ${ago(Date.now() - Date.parse(since ?? ''))}: ${reasonText(code)}`;
    return { tone: 'waits', code, text, next: reasonNext(code) };
  }

  async #share(): Promise<void> {
    const { token } = await this.client.sessions.mintToken(this.seat, { mode: 'view' });
    this.#link = viewLink(this.base, this.seat, token);
    await navigator.clipboard?.writeText(this.#link).catch(() => {});
    this.requestUpdate();
  }

  #choose(tab: Tab): void {
    this.#tab = tab;
    this.requestUpdate();
  }

  #again(mode: AttachMode): void {
    this.#stay?.again(mode);
    this.#stay?.screen.focus();
  }

  override render() {
    const stay = this.#stay;
    const state = this.#state;
    return html`
      ${this.#header(state)}
      ${stay ? barOf(stay, this.viewer, (mode) => this.#again(mode)) : nothing}
      ${this.#link ? this.#linkBar() : nothing}
      ${this.#finding ? this.#findBar() : nothing}
      <openfloor-dialog .client=${this.client} .seat=${this.seat} .dialog=${stay?.dialog} .viewer=${this.viewer}
        .detail=${state.status?.detail ?? ''}></openfloor-dialog>
      <openfloor-band
        .timeline=${this.#timeline}
        .verdict=${this.#verdict}
        @record=${(event: CustomEvent<number>) => {
          if (!this.desk) return;
          this.#record = event.detail;
          this.#choose('audit');
        }}
      ></openfloor-band>
      <div class="work tab-${this.viewer ? 'terminal' : this.#tab}">
        <section class="screen" aria-label=${`Terminal of ${this.seat}. Control F6 leaves it.`}>
          <div class="terminal" data-mode=${stay?.mode ?? ''} data-state=${stay?.state.kind ?? ''}></div>
          ${this.viewer ? nothing : this.#keys()}
        </section>
        ${
          this.desk
            ? html`<aside>
                <openfloor-side .desk=${this.desk} .seat=${this.seat} .tab=${this.#tab} .record=${this.#record}
                  @tab=${(event: CustomEvent<Tab>) => {
                    this.#record = undefined;
                    this.#choose(event.detail);
                  }}></openfloor-side>
              </aside>`
            : nothing
        }
      </div>`;
  }

  #header({ status, presence }: Partial<SeatState>) {
    const stay = this.#stay;
    const title = stay?.title ?? '';
    return html`<header class="seat-header state-${status?.state ?? 'unknown'}">
      ${this.viewer ? nothing : html`<a class="back" href="#" aria-label="All seats">‹</a>`}
      <h2><span class="dot" aria-hidden="true"></span>${this.seat}</h2>
      <p class="says" role="status">
        ${status ? statusText(status) : ''}${status?.detail && status.state !== 'idle' ? html` <span class="detail">${visible(status.detail, 160)}</span>` : nothing}
      </p>
      ${title ? html`<p class="program" title="Title set by the program">${visible(title, 80)}</p>` : nothing}
      <div class="tools">
        ${presence ? html`<span class="people">${plural(presence.operators, 'operator')}${presence.viewers > 0 ? `, ${plural(presence.viewers, 'viewer')}` : ''}</span>` : nothing}
        ${
          this.viewer
            ? html`<span class="chip">view only</span><button class="quiet" @click=${() => this.dispatchEvent(new CustomEvent('leave'))}>Leave</button>`
            : html`
                <button class="quiet" aria-pressed=${stay?.mode === 'view'} @click=${() => this.#again(stay?.mode === 'view' ? 'join' : 'view')}>
                  ${stay?.mode === 'view' ? 'Type' : 'Only look'}
                </button>
                <button class="quiet" title="Take the keyboard from the others" @click=${() => this.#again('take')}>Take over</button>
                <button class="quiet" aria-expanded=${this.#finding} @click=${() => this.#find(!this.#finding)}>Find</button>
                <button class="quiet unseen-until-focus" aria-pressed=${this.#aloud} @click=${() => this.#read()}>Screen reader mode</button>
                <button class="quiet" title="A link that can only look" @click=${() => void this.#share()}>View link</button>
              `
        }
      </div>
    </header>`;
  }

  #find(open: boolean): void {
    this.#finding = open;
    this.requestUpdate();
    if (!open) return this.#stay?.screen.focus();
    void this.updateComplete.then(() => this.querySelector<HTMLInputElement>('.find input')?.focus());
  }

  #read(): void {
    this.#aloud = !this.#aloud;
    if (this.terminal) this.terminal.options.screenReaderMode = this.#aloud;
    this.requestUpdate();
  }

  #findBar() {
    const find = (back: boolean) => {
      const text = this.querySelector<HTMLInputElement>('.find input')?.value ?? '';
      if (back) this.#stay?.screen.search.findPrevious(text);
      else this.#stay?.screen.search.findNext(text);
    };
    return html`<div class="find" role="search">
      <input aria-label="Find in the terminal" spellcheck="false"
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Enter') find(event.shiftKey);
          if (event.key === 'Escape') this.#find(false);
        }} />
      <button @click=${() => find(true)}>Back</button>
      <button @click=${() => find(false)}>On</button>
      <button class="quiet" @click=${() => this.#find(false)}>Done</button>
    </div>`;
  }

  #linkBar() {
    return html`<div class="bar" role="status">
      <p>Who has this link can look, not type. It was copied if the browser allowed it.</p>
      <input readonly aria-label="View link" .value=${this.#link} @focus=${(event: FocusEvent) => (event.target as HTMLInputElement).select()} />
      <button @click=${() => {
        this.#link = '';
        this.requestUpdate();
      }}>Done</button>
    </div>`;
  }

  /** Keys that a phone's keyboard lacks. */
  #keys() {
    const key = (label: string, keys: string, name = label) =>
      html`<button type="button" aria-label=${name} @pointerdown=${(event: Event) => event.preventDefault()}
        @click=${() => this.#stay?.press(keys)}>${label}</button>`;
    const { applicationCursorKeysMode: application } = this.#stay?.screen.terminal.modes ?? {};
    const arrow = (letter: string) => (application ? `\x1bO${letter}` : `\x1b[${letter}`);
    return html`<div class="keys" role="toolbar" aria-label="Keys">
      ${key('Esc', '\x1b')} ${key('Tab', '\t')} ${key('⇧Tab', '\x1b[Z', 'Shift Tab')} ${key('Ctrl-C', '\x03')}
      ${key('↑', arrow('A'), 'Up')} ${key('↓', arrow('B'), 'Down')} ${key('←', arrow('D'), 'Left')}
      ${key('→', arrow('C'), 'Right')} ${key('⏎', '\r', 'Enter')}
    </div>`;
  }
}
customElements.define('openfloor-seat', SeatView);
