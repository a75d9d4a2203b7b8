// Lets xterm style itself under a policy that forbids <style> elements and style attributes. While it is in force the document
// makes stand-ins: a style element's text goes into a constructed style sheet, a span's style attribute into its style object;
// the policy allows both. Always true: everything else is made as ever; `dispose` gives the document its own way back.

/** A span whose style attribute is set through the object model. */
function setStyle(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

/** xterm 6 asks the global document for some of its elements, so the document itself is what has to give them. */
export function allowStyles(page: Document): { dispose(): void } {
  const make = page.createElement.bind(page);
  const sheets = new Set<CSSStyleSheet>();
  const drop = (sheet: CSSStyleSheet) => {
    sheets.delete(sheet);
    page.adoptedStyleSheets = page.adoptedStyleSheets.filter((other) => other !== sheet);
  };
  const standIn = (): HTMLElement => {
    const sheet = new CSSStyleSheet();
    sheets.add(sheet);
    page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
    const element = make('span');
    element.hidden = true;
    let text = '';
    Object.defineProperty(element, 'textContent', {
      get: () => text,
      set: (value: string) => {
        text = value;
        sheet.replaceSync(value);
      },
    });
    element.remove = () => {
      drop(sheet);
      Element.prototype.remove.call(element);
    };
    return element;
  };
  const value = (tag: string, options?: ElementCreationOptions): HTMLElement => {
    if (tag === 'style') return standIn();
    const element = make(tag, options);
    if (tag === 'span') element.setAttribute = setStyle;
    return element;
  };
  Object.defineProperty(page, 'createElement', { value, configurable: true });
  return {
    dispose: () => {
      Reflect.deleteProperty(page, 'createElement');
      for (const sheet of [...sheets]) drop(sheet);
    },
  };
}
