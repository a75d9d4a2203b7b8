// The panels beside a terminal, one at a time. Always true: which one is shown is remembered for the tab's life; on a phone the
// terminal is one of the tabs; arrows move between tabs.
import { html } from 'lit';
import type { Desk } from '../desk/desk.js';
import { PageElement } from '../element.js';
import './audit.js';
import './floor.js';
import './kept.js';
import './queue.js';

export type Tab = 'terminal' | 'floor' | 'kept' | 'audit' | 'queue';
const TABS: readonly (readonly [Tab, string])[] = [
  ['terminal', 'Terminal'],
  ['floor', 'Floor'],
  ['kept', 'Guard'],
  ['audit', 'Audit'],
  ['queue', 'Queue'],
];

class Side extends PageElement {
  static override properties = { desk: { attribute: false }, seat: {}, tab: {}, record: { type: Number } };
  desk!: Desk;
  seat = '';
  tab: Tab = 'floor';
  record: number | undefined;

  #choose(tab: Tab): void {
    this.dispatchEvent(new CustomEvent('tab', { detail: tab }));
  }

  #keys(event: KeyboardEvent): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const tabs = [...this.querySelectorAll<HTMLButtonElement>('[role=tab]')].filter(
      (tab) => tab.offsetParent !== null,
    );
    const at = tabs.indexOf(document.activeElement as HTMLButtonElement);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    next?.focus();
    next?.click();
  }

  override render() {
    const held = this.desk.seats.get(this.seat)?.held ?? 0;
    const waiting = this.desk.seats.get(this.seat)?.floor.waiting ?? 0;
    const counts: Partial<Record<Tab, number>> = { floor: waiting, kept: held };
    return html`
      <div class="tabs" role="tablist" aria-label="About this seat" @keydown=${this.#keys}>
        ${TABS.map(
          ([tab, label]) => html`<button role="tab" class=${tab} id=${`tab-${tab}`} aria-controls="panel"
            aria-selected=${tab === this.tab} tabindex=${tab === this.tab ? 0 : -1} @click=${() => this.#choose(tab)}>
            ${label}${counts[tab] ? html` <span class="count">${counts[tab]}</span>` : ''}
          </button>`,
        )}
      </div>
      <div class="panel" id="panel" role="tabpanel" tabindex="0" aria-labelledby=${`tab-${this.tab}`}>${this.#panel()}</div>`;
  }

  #panel() {
    const { desk, seat } = this;
    switch (this.tab) {
      case 'terminal':
        return html``;
      case 'floor':
        return html`<openfloor-floor .desk=${desk} .seat=${seat}></openfloor-floor>`;
      case 'kept':
        return html`<openfloor-kept .desk=${desk} .seat=${seat}></openfloor-kept>`;
      case 'audit':
        return html`<openfloor-audit .desk=${desk} .seat=${seat} .open=${this.record}></openfloor-audit>`;
      case 'queue':
        return html`<openfloor-queue .desk=${desk}></openfloor-queue>`;
    }
  }
}
customElements.define('openfloor-side', Side);
