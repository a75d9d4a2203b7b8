// Reads JSON strictly and remembers on which line every value begins, so that a refusal can name the line. Always true: a
// duplicate key is an error, because JSON.parse would silently take the last one. Values are what JSON.parse gives.

export interface JsonText {
  readonly value: unknown;
  /** Line (from 1) of the value, or of its key, at a JSON pointer. An unknown pointer: the nearest above it. */
  lineOf(pointer: string): number;
}

export class JsonProblem extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Deeper than any pack; a bound on recursion. */
const DEPTH = 32;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const BLANK = /[ \t\n\r]*/y;

/** Reads a document. Throws JsonProblem. */
export function readJson(text: string): JsonText {
  let at = 0;
  const lines = new Map<string, number>();
  const line = (offset: number) => text.slice(0, offset).split('\n').length;
  const fail = (message: string): never => {
    throw new JsonProblem(line(at), message);
  };
  const skip = () => {
    BLANK.lastIndex = at;
    BLANK.exec(text);
    at = BLANK.lastIndex;
  };
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    at = pattern.lastIndex;
    return match[0];
  };
  const expect = (character: string) => {
    skip();
    if (text[at] !== character)
      fail(
        `expected ${character} ${at < text.length ? `before ${JSON.stringify(text[at])}` : 'before the end'}`,
      );
    at++;
  };
  const list = (close: string, item: (index: number) => void) => {
    at++;
    skip();
    if (text[at] === close) {
      at++;
      return;
    }
    for (let index = 0; ; index++) {
      item(index);
      skip();
      if (text[at] === close) break;
      expect(',');
      skip();
    }
    at++;
  };
  const value = (pointer: string, depth: number): void => {
    skip();
    if (!lines.has(pointer)) lines.set(pointer, line(at));
    if (depth > DEPTH) fail(`nested deeper than ${DEPTH}`);
    if (text[at] === '{') {
      list('}', () => {
        const from = line(at);
        const spelled = take(STRING) ?? fail('expected a key in double quotes');
        const key = JSON.parse(spelled) as string;
        const inner = `${pointer}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
        if (lines.has(inner)) fail(`the key ${spelled} stands twice`);
        lines.set(inner, from);
        expect(':');
        value(inner, depth + 1);
      });
    } else if (text[at] === '[') list(']', (index) => value(`${pointer}/${index}`, depth + 1));
    else if (take(STRING) === undefined && take(SCALAR) === undefined)
      fail(
        at < text.length
          ? `expected a value before ${JSON.stringify(text[at])}`
          : 'expected a value before the end',
      );
  };
  value('', 0);
  skip();
  if (at < text.length) fail(`expected the end before ${JSON.stringify(text[at])}`);
  return {
    value: JSON.parse(text),
    lineOf(pointer) {
      for (let path = pointer; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
        const found = lines.get(path);
        if (found !== undefined) return found;
      }
      return lines.get('') ?? 1;
    },
  };
}
