// The whole page: who is here (nobody yet, an operator, a viewer) decides what is shown. Always true: logging out forgets the
// credential here and on the server; a refused credential leads back to the login with the reason said.
import { html, nothing } from 'lit';
import { connect, login, SdkError } from '../sdk/index.js';
import { type BrowserSocketClass, browserDial } from '../sdk/socket.js';
import { Desk } from './desk/desk.js';
import { PageElement } from './element.js';
import { loadPass, type Pass, readFragment, savePass } from './pass.js';
import './login.js';
import './desk/room.js';
import './seat/view.js';

/** Everything before the file name: the path prefix of a proxy included. */
const base = new URL('.', location.href).href.replace(/#.*$/, '');

class OpenfloorPage extends PageElement {
  #pass: Pass | undefined;
  #desk: Desk | undefined;
  #fault = '';
  #busy = false;
  #seat: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const arrival = readFragment(location.hash);
    if (arrival.kind === 'ticket' || arrival.kind === 'view') {
      history.replaceState(null, '', base);
    }
    if (arrival.kind === 'view') savePass(sessionStorage, base, arrival.pass);
    if (arrival.kind === 'seat') this.#seat = arrival.seat;
    if (arrival.kind === 'ticket') void this.#login(arrival.ticket);
    else this.#enter(loadPass(sessionStorage, base));
    const changed = () => {
      const now = readFragment(location.hash);
      if (now.kind === 'ticket' || now.kind === 'view') location.reload();
    };
    window.addEventListener('hashchange', changed);
    this.until(() => window.removeEventListener('hashchange', changed));
  }

  async #login(ticket: string): Promise<void> {
    this.#busy = true;
    this.#fault = '';
    this.requestUpdate();
    try {
      const { token } = await login(base, ticket);
      savePass(sessionStorage, base, { kind: 'operator', token });
      this.#enter({ kind: 'operator', token });
    } catch (error) {
      this.#fault = error instanceof SdkError ? `${error.message} ${error.next}` : String(error);
    }
    this.#busy = false;
    this.requestUpdate();
  }

  #enter(pass: Pass | undefined): void {
    this.#pass = pass;
    if (pass?.kind === 'operator') {
      const webSocket = browserDial(WebSocket as unknown as BrowserSocketClass);
      const desk = new Desk(connect({ url: base, credential: pass.token, webSocket }));
      this.#desk = desk;
      desk.listen(() => desk.refused && this.#leave('Your login has ended. Get a new link: openfloor login'));
      desk.start();
    }
    this.requestUpdate();
  }

  #leave(fault = ''): void {
    if (fault === '') this.#desk?.client.request('POST', '/api/logout').catch(() => {});
    this.#desk?.stop();
    this.#desk = undefined;
    this.#pass = undefined;
    this.#fault = fault;
    savePass(sessionStorage, base, undefined);
    history.replaceState(null, '', base);
    this.requestUpdate();
  }

  override render() {
    const pass = this.#pass;
    if (pass === undefined) {
      return html`<openfloor-login
        .fault=${this.#fault}
        .busy=${this.#busy}
        @ticket=${(event: CustomEvent<string>) => void this.#login(event.detail)}
      ></openfloor-login>`;
    }
    const leave = () => this.#leave();
    if (pass.kind === 'viewer') {
      const webSocket = browserDial(WebSocket as unknown as BrowserSocketClass);
      const client = connect({ url: base, token: pass.token, webSocket });
      return html`<main class="alone"><openfloor-seat
        .client=${client} .seat=${pass.seat} .token=${pass.token} .viewer=${true} @leave=${leave}
      ></openfloor-seat></main>`;
    }
    return this.#desk
      ? html`<openfloor-room .desk=${this.#desk} .base=${base} .first=${this.#seat} @leave=${leave}></openfloor-room>`
      : nothing;
  }
}
customElements.define('openfloor-page', OpenfloorPage);
