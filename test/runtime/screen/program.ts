// Random programs for the screen's property tests, a step at a time.
import fc from 'fast-check';

const number = fc.integer({ min: 0, max: 12 });
const sgr = fc.constantFrom(
  '0',
  '1',
  '2;3',
  '4',
  '4:3',
  '7',
  '9',
  '53',
  '31',
  '97',
  '42',
  '104',
  '38;5;200',
  '48;5;17',
  '48;2;1;2;3',
  '38;2;9;8;7',
  '58:5:3',
  '58:2::1:2:3',
);
const text = fc.constantFrom(
  'a',
  'hello ',
  ' ',
  '漢',
  '字漢字',
  'é',
  'e\u0301',
  '😀',
  '─┐',
  'a long run of words that wraps',
  '\u0301',
);
/** One thing a program prints: text, a style, a movement, an erasure, a mode. */
export const programStep = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 3, arbitrary: sgr.map((codes) => `\x1b[${codes}m`) },
  { weight: 3, arbitrary: fc.constantFrom('\r\n', '\n', '\r', '\t', '\b') },
  { weight: 2, arbitrary: fc.tuple(number, number).map(([y, x]) => `\x1b[${y};${x}H`) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(number, fc.constantFrom(...'ABCDGdXKJPLM@STE'))
      .map(([n, final]) => `\x1b[${n}${final}`),
  },
  { weight: 1, arbitrary: fc.tuple(number, number).map(([top, bottom]) => `\x1b[${top};${bottom}r`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\x1b7',
      '\x1b8',
      '\x1bM',
      '\x1bD',
      '\x1bE',
      '\x1bH',
      '\x1b[3g',
      '\x1b(0',
      '\x1b(B',
      '\x0e',
      '\x0f',
      '\x1b)0',
      '\x1b=',
      '\x1b>',
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          1,
          6,
          7,
          9,
          12,
          25,
          45,
          47,
          1000,
          1002,
          1003,
          1004,
          1006,
          1016,
          1047,
          1049,
          2004,
          2026,
        ),
        fc.constantFrom('h', 'l'),
      )
      .map(([mode, final]) => `\x1b[?${mode}${final}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(4, 20), fc.constantFrom('h', 'l'))
      .map(([mode, final]) => `\x1b[${mode}${final}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\x1b[3 q', '\x1b[!p', '\x1b#8'),
  },
);

/** What the emulator keeps in its own way. */
export const linkAndTitle = fc.constantFrom(
  '\x1b]8;;http://a/\x1b\\',
  '\x1b]8;id=x;http://b/\x1b\\',
  '\x1b]8;;\x1b\\',
  '\x1b]0;a title\x07',
);
