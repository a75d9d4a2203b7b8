// The way in: a one-time link opens the page logged in; without one, it can be pasted here. Always true: what is pasted is read
// for its ticket and never shown again.
import { html, nothing } from 'lit';
import { PageElement } from './element.js';
import { ticketIn } from './pass.js';

class LoginCard extends PageElement {
  static override properties = { fault: {}, busy: { type: Boolean } };
  fault = '';
  busy = false;
  #bad = false;

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    const field = this.querySelector('input');
    const ticket = ticketIn(field?.value ?? '');
    this.#bad = ticket === undefined;
    if (field) field.value = '';
    if (ticket !== undefined) this.dispatchEvent(new CustomEvent('ticket', { detail: ticket }));
    this.requestUpdate();
  }

  override render() {
    const fault = this.#bad ? 'That is no login link: it ends in #ticket= and its ticket.' : this.fault;
    return html`
      <main class="login">
        <form @submit=${this.#submit} aria-busy=${this.busy}>
          <h1 class="brand"><span class="mark" aria-hidden="true"></span>Openfloor</h1>
          <p class="lede">People type freely here. Automation types only when it is safe.</p>
          <label for="link">Login link</label>
          <input id="link" type="password" autocomplete="off" spellcheck="false"
            placeholder="http://…/#ticket=…" ?disabled=${this.busy} />
          <button class="primary" ?disabled=${this.busy}>${this.busy ? 'Logging in…' : 'Log in'}</button>
          ${fault ? html`<p class="fault" role="alert">${fault}</p>` : nothing}
          <p class="hint">Get a link where the server runs: <code>openfloor login</code>. It works once, for 30 seconds.</p>
        </form>
      </main>`;
  }
}
customElements.define('openfloor-login', LoginCard);
