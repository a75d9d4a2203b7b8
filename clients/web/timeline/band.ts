// The band: what one seat did over time, in three lanes. The agent's status; people's keys; automation's requests, from the
// moment they asked, with the reason of their wait, to the grant and how it ended. Always true: everything on it can be
// reached by keyboard, says in words what it is, and leads to its audit record where there is one.
import { html, nothing, svg, type TemplateResult } from 'lit';
import { PageElement } from '../element.js';
import { reasonShort, statusText } from '../text/wording.js';
import { type Ask, rowsOf, type Timeline } from './model.js';
import type { Verdict } from './tell.js';
import { tellAsk, tellKey, tellMark, tellSpan } from './tell.js';

const WINDOWS = [
  { ms: 60_000, label: '1 min' },
  { ms: 300_000, label: '5 min' },
  { ms: 1_800_000, label: '30 min' },
];
const LANE = { agent: 6, people: 30, floor: 48, row: 17, height: 96 };
const ROWS = 2;
/** Room at the right, so that now is not at the very edge. */
const NOW_GAP = 10;

class Band extends PageElement {
  static override properties = {
    timeline: { attribute: false },
    verdict: { attribute: false },
  };
  timeline!: Timeline;
  verdict: Verdict | undefined;
  #windowMs = 60_000;
  #width = 600;
  #tip = '';

  override connectedCallback(): void {
    super.connectedCallback();
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const timer = setInterval(() => document.hidden || this.requestUpdate(), calm ? 1_000 : 250);
    this.until(() => clearInterval(timer));
  }

  override firstUpdated(): void {
    const field = this.querySelector('.field');
    if (!field) return;
    const observer = new ResizeObserver(([entry]) => {
      this.#width = Math.max(100, entry?.contentRect.width ?? 600);
      this.requestUpdate();
    });
    observer.observe(field);
    this.until(() => observer.disconnect());
  }

  override render() {
    const now = Date.now();
    const { verdict } = this;
    return html`
      <div class="band">
        <div class="lanes" aria-hidden="true"><span>Agent</span><span>People</span><span>Floor</span></div>
        <div class="field" @pointerleave=${() => this.#show('')}>${this.#picture(now)}</div>
        <p class="tell tone-${this.#tip ? 'tip' : (verdict?.tone ?? 'free')}" role="status">
          ${
            this.#tip
              ? html`<span>${this.#tip}</span>`
              : verdict
                ? html`<span class="verdict">${verdict.text}</span>
                    ${verdict.code === 'granted' ? nothing : html`<code>${verdict.code}</code>`}
                    ${verdict.next ? html`<span class="next">${verdict.next}</span>` : nothing}`
                : nothing
          }
        </p>
        <div class="windows" role="group" aria-label="Length of the band">
          ${WINDOWS.map(
            ({ ms, label }) =>
              html`<button
                class="quiet"
                aria-pressed=${ms === this.#windowMs}
                @click=${() => {
                  this.#windowMs = ms;
                  this.requestUpdate();
                }}
              >
                ${label}
              </button>`,
          )}
        </div>
      </div>`;
  }

  #show(tip: string): void {
    if (this.#tip === tip) return;
    this.#tip = tip;
    this.requestUpdate();
  }

  #x(at: number, now: number): number {
    const width = this.#width - NOW_GAP;
    return Math.max(-20, Math.min(width, width - ((now - at) / this.#windowMs) * width));
  }

  #picture(now: number): TemplateResult {
    const from = now - this.#windowMs;
    const { spans, keys, asks, marks } = this.timeline;
    const seen = asks.filter((ask) => (ask.to ?? now) >= from);
    const rows = rowsOf(seen, now, ROWS);
    return html`<svg
      width=${this.#width}
      height=${LANE.height}
      viewBox="0 0 ${this.#width} ${LANE.height}"
      role="group"
      aria-label="What happened in this seat"
    >
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch-ground" width="6" height="6" />
          <rect class="hatch-line" width="2.4" height="6" />
        </pattern>
      </defs>
      ${this.#axis(now)}
      ${spans
        .filter((span) => (span.to ?? now) >= from)
        .map((span) => {
          const x = this.#x(span.from, now);
          const width = Math.max(2, this.#x(span.to ?? now, now) - x);
          return this.#thing(
            `span state-${span.state}`,
            tellSpan(span, now),
            undefined,
            svg`<rect x=${x} y=${LANE.agent} width=${width} height="16" rx="2" />
              ${width > 70 ? svg`<text x=${Math.max(4, x + 6)} y=${LANE.agent + 12}>${statusText(span)}</text>` : nothing}`,
          );
        })}
      ${keys
        .filter((at) => at >= from)
        .map((at) =>
          this.#thing(
            'key',
            tellKey(at),
            undefined,
            svg`<rect x=${this.#x(at, now)} y=${LANE.people} width="2" height="11" />`,
          ),
        )}
      ${seen.map((ask) => this.#ask(ask, now, rows.get(ask.id) ?? 0))}
      ${marks
        .filter(({ at }) => at >= from)
        .map((mark) => {
          const x = this.#x(mark.at, now);
          return this.#thing(
            'mark',
            tellMark(mark),
            mark.seq,
            svg`<path d="M${x} ${LANE.height - 16} l4 5 -4 5 -4 -5 z" />`,
          );
        })}
    </svg>`;
  }

  #axis(now: number) {
    const step = this.#windowMs / 6;
    const first = Math.ceil((now - this.#windowMs) / step) * step;
    return Array.from({ length: 7 }, (_, index) => first + index * step)
      .filter((at) => at <= now)
      .map((at) => {
        const x = this.#x(at, now);
        const time = new Date(at).toTimeString().slice(0, this.#windowMs > 60_000 ? 5 : 8);
        return svg`<line class="grid" x1=${x} x2=${x} y1="2" y2=${LANE.height - 12} />
          ${x > this.#width - 48 ? nothing : svg`<text class="time" x=${x + 3} y=${LANE.height - 2}>${time}</text>`}`;
      });
  }

  #ask(ask: Ask, now: number, row: number) {
    const y = LANE.floor + row * LANE.row;
    const x = this.#x(ask.from, now);
    const granted = ask.grantedAt;
    const waitEnd = this.#x(granted ?? ask.to ?? now, now);
    const end = this.#x(ask.to ?? now, now);
    return this.#thing(
      `ask outcome-${ask.outcome ?? (granted ? 'typing' : 'waiting')}`,
      tellAsk(ask, now),
      ask.seq,
      svg`${waitEnd - x < 2 ? nothing : svg`<rect class="wait" x=${x} y=${y} width=${waitEnd - x} height="14" rx="2" />`}
        ${this.#reasons(ask, granted ?? ask.to ?? now, now, y)}
        ${granted && end - waitEnd > 6 ? svg`<rect class="typed" x=${waitEnd} y=${y} width=${end - waitEnd} height="14" rx="2" />` : nothing}
        ${ask.to === undefined ? nothing : endOf(ask, end, y + 7)}`,
    );
  }

  /** Each reason of the wait in its stretch, where there is room to say it. */
  #reasons({ reasons, from, reason }: Ask, until: number, now: number, y: number) {
    const told = reasons.length > 0 ? reasons : reason ? [{ at: from, reason }] : [];
    return told.map(({ reason: code }, index) => {
      const x = Math.max(0, this.#x(index === 0 ? from : (told[index]?.at ?? from), now));
      const end = this.#x(told[index + 1]?.at ?? until, now);
      const words = reasonShort(code);
      return svg`${index === 0 ? nothing : svg`<line class="turn" x1=${x} x2=${x} y1=${y} y2=${y + 14} />`}
        ${end - x < words.length * 5.4 + 10 ? nothing : svg`<text x=${x + 6} y=${y + 11}>${words}</text>`}`;
    });
  }

  /** Something on the band: hovered or focused it explains itself, pressed it opens its record. */
  #thing(kind: string, words: string, seq: number | undefined, picture: TemplateResult): TemplateResult {
    const open = () =>
      seq !== undefined &&
      this.dispatchEvent(new CustomEvent('record', { detail: seq, bubbles: true, composed: true }));
    // Hundreds of ticks would make the Tab key useless; the rest is worth stopping at.
    const stop = /^key/.test(kind) ? -1 : 0;
    return svg`<g
      class=${kind}
      role=${seq === undefined ? 'img' : 'button'}
      tabindex=${stop}
      aria-label=${words}
      data-seq=${seq ?? nothing}
      @pointerenter=${() => this.#show(words)}
      @focus=${() => this.#show(words)}
      @blur=${() => this.#show('')}
      @click=${open}
      @keydown=${(event: KeyboardEvent) => (event.key === 'Enter' || event.key === ' ') && open()}
    >${picture}</g>` as unknown as TemplateResult;
  }
}
customElements.define('openfloor-band', Band);

function endOf({ outcome }: Ask, x: number, y: number) {
  switch (outcome) {
    case 'delivered':
      return svg`<circle class="end good" cx=${x} cy=${y} r="4" />`;
    case 'unconfirmed':
    case 'indeterminate':
      return svg`<circle class="end unsure" cx=${x} cy=${y} r="4" />`;
    case 'held':
    case 'retained':
      return svg`<rect class="end kept" x=${x - 4} y=${y - 4} width="8" height="8" />`;
    default:
      return svg`<path class="end bad" d="M${x - 4} ${y - 4} l8 8 M${x + 4} ${y - 4} l-8 8" />`;
  }
}
