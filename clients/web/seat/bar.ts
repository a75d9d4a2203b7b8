// The bar between a seat's header and its terminal: what the connection does, what the terminal asks. Always true: at most one
// bar is shown, the one that matters most; untrusted text in it is escaped. It decides nothing.
import { html, nothing, type TemplateResult } from 'lit';
import type { AttachMode } from '../../../protocol/frame.js';
import { visible, visibleLines } from '../text/visible.js';
import { bytesText, closeText, plural } from '../text/wording.js';
import type { Question, Stay } from './stay.js';

const STEPS: Readonly<Record<string, { label: string; mode: AttachMode }>> = {
  join: { label: 'Join', mode: 'join' },
  take: { label: 'Take it back', mode: 'take' },
};

export function barOf(
  stay: Stay,
  viewer: boolean,
  again: (mode: AttachMode) => void,
): TemplateResult | typeof nothing {
  const { state, question } = stay;
  if (state.kind === 'closed') {
    const { text, steps } = closeText(state.close.code, `${state.close.reason} ${state.close.next}`);
    const exit = stay.exit ? ` ${exitText(stay.exit)}` : '';
    return html`<div class="bar ended" role="alert" data-code=${state.close.code}>
      <p>${text}${exit}</p>
      ${viewer && state.close.code !== 4004 ? html`<button @click=${() => again('view')}>Look again</button>` : nothing}
      ${
        viewer
          ? nothing
          : steps.map((step) =>
              step === 'reload'
                ? html`<button @click=${() => location.reload()}>Load again</button>`
                : STEPS[step]
                  ? html`<button class=${step === 'join' ? 'primary' : ''} @click=${() => again(STEPS[step]?.mode ?? 'join')}>
                      ${STEPS[step]?.label}
                    </button>`
                  : nothing,
            )
      }
    </div>`;
  }
  if (state.kind === 'lost') {
    return html`<div class="bar lost" role="status">
      <span class="spin" aria-hidden="true"></span>
      <p>Connection lost. Trying again; the session goes on, and nothing that you type now is sent.</p>
    </div>`;
  }
  if (question) return questionBar(stay, question);
  if (stay.notice) return html`<div class="bar" role="status"><p>${stay.notice}</p></div>`;
  if (state.kind === 'attaching') return html`<div class="bar faint" role="status"><p>Attaching…</p></div>`;
  return sizeBar(stay);
}

function questionBar(stay: Stay, question: Question): TemplateResult {
  const answer = (yes: boolean) => () => stay.answer(yes);
  const buttons = (yes: string, no: string) => html`
    <button class="primary" @click=${answer(true)}>${yes}</button>
    <button @click=${answer(false)}>${no}</button>`;
  switch (question.kind) {
    case 'paste': {
      const lines = question.text.trim().split(/\r\n|\r|\n/).length;
      return html`<div class="bar asks" role="alertdialog" aria-label="Paste?">
        <p>
          This program takes each of the ${plural(lines, 'line')} as typed and entered. Paste
          ${bytesText(question.text.length)}?
        </p>
        <pre>${visibleLines(question.text, 400)}</pre>
        ${buttons('Paste', 'Don’t paste')}
      </div>`;
    }
    case 'clipboard':
      return html`<div class="bar asks" role="alertdialog" aria-label="Copy?">
        <p>The program wants to put ${bytesText(question.text.length)} on your clipboard.</p>
        <pre>${visibleLines(question.text, 400)}</pre>
        ${buttons('Copy', 'Don’t copy')}
      </div>`;
    case 'link':
      return html`<div class="bar asks" role="alertdialog" aria-label="Open link?">
        <p>Open this address in a new tab?</p>
        <pre>${visible(question.address, 400)}</pre>
        ${buttons('Open', 'Don’t open')}
      </div>`;
  }
}

function exitText({ code, signal }: { code: number | null; signal: string | null }): string {
  return signal === null ? `Exit code ${code ?? 'unknown'}.` : `Ended by ${signal}.`;
}

/** Another client's size rules: said only when part of the screen is out of sight. */
function sizeBar({ size, room, mode }: Stay): TemplateResult | typeof nothing {
  if (!size || !room || (size.cols <= room.cols && size.rows <= room.rows)) return nothing;
  const who = mode === 'view' ? 'An operator’s window' : 'Another operator’s window';
  return html`<div class="bar faint" role="status">
    <p>${who} sets the size: ${size.cols} × ${size.rows}. Scroll to see the rest${mode === 'view' ? '' : ', or type to make it yours'}.</p>
  </div>`;
}
