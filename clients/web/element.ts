// The base of the page's elements: lit, in the document itself, so that one style sheet and xterm's own reach everything.
// Always true: an element that is gone listens to nothing. It holds no state of its own.
import { LitElement } from 'lit';

export class PageElement extends LitElement {
  #ends: (() => void)[] = [];

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Ends with the element's life in the document. */
  protected until(end: () => void): void {
    this.#ends.push(end);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.#ends) end();
    this.#ends = [];
  }
}
