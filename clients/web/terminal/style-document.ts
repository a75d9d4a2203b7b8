// A document for xterm whose style elements are constructed style sheets: xterm writes its theme into <style> elements, which
// the page's policy forbids. Always true: everything else is the real document. `dispose` removes the sheets.

export interface StyleDocument {
  readonly document: Document;
  /** While `act` runs, the real document makes no style elements either: xterm 6 asks it for one of three when it opens. */
  within(act: () => void): void;
  dispose(): void;
}

/** xterm asks `instanceof Document` and calls methods on it; both work through the proxy. */
export function styleDocument(real: Document): StyleDocument {
  const sheets = new Set<CSSStyleSheet>();
  const drop = (sheet: CSSStyleSheet) => {
    sheets.delete(sheet);
    real.adoptedStyleSheets = real.adoptedStyleSheets.filter((other) => other !== sheet);
  };
  const standIn = (): HTMLElement => {
    const sheet = new CSSStyleSheet();
    sheets.add(sheet);
    real.adoptedStyleSheets = [...real.adoptedStyleSheets, sheet];
    const element = original('span');
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
  const original = real.createElement.bind(real);
  const create = (tag: string, options?: ElementCreationOptions): HTMLElement =>
    tag.toLowerCase() === 'style' ? standIn() : original(tag, options);
  const document = new Proxy(real, {
    get(target, name) {
      if (name === 'createElement') return create;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    document,
    within: (act) => {
      Object.defineProperty(real, 'createElement', { value: create, configurable: true });
      try {
        act();
      } finally {
        Reflect.deleteProperty(real, 'createElement');
      }
    },
    dispose: () => {
      for (const sheet of [...sheets]) drop(sheet);
    },
  };
}
