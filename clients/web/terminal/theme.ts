// Colours of the terminal for light and dark. Always true: each is legible on its background (contrast 4.5 or more for the
// default text); the sixteen ANSI colours are calm versions of themselves.
import type { ITheme } from '@xterm/xterm';

const DARK: ITheme = {
  background: '#12161a',
  foreground: '#dbe0de',
  cursor: '#e8b563',
  cursorAccent: '#12161a',
  selectionBackground: '#2f4a52',
  scrollbarSliderBackground: '#ffffff1f',
  scrollbarSliderHoverBackground: '#ffffff33',
  scrollbarSliderActiveBackground: '#ffffff47',
  black: '#1d2329',
  red: '#e5786d',
  green: '#8fbf7f',
  yellow: '#d9b36b',
  blue: '#7fa9d6',
  magenta: '#bd93c9',
  cyan: '#74bcb9',
  white: '#c5ccca',
  brightBlack: '#6d7981',
  brightRed: '#f39a90',
  brightGreen: '#aed8a0',
  brightYellow: '#ebcd92',
  brightBlue: '#a4c5e8',
  brightMagenta: '#d3b1dd',
  brightCyan: '#9ad7d4',
  brightWhite: '#f2f5f4',
};

const LIGHT: ITheme = {
  background: '#fdfcf9',
  foreground: '#23292b',
  cursor: '#a8620d',
  cursorAccent: '#fdfcf9',
  selectionBackground: '#cfe2e4',
  scrollbarSliderBackground: '#0000001f',
  scrollbarSliderHoverBackground: '#00000033',
  scrollbarSliderActiveBackground: '#00000047',
  black: '#23292b',
  red: '#ad3b30',
  green: '#3d7233',
  yellow: '#8a5c0b',
  blue: '#2c5f96',
  magenta: '#7d4a8b',
  cyan: '#17696a',
  white: '#8d9594',
  brightBlack: '#667071',
  brightRed: '#c4493d',
  brightGreen: '#4a8540',
  brightYellow: '#a06d13',
  brightBlue: '#3a72ae',
  brightMagenta: '#935ba2',
  brightCyan: '#217f80',
  brightWhite: '#5c6465',
};

export function terminalTheme(dark: boolean): ITheme {
  return dark ? DARK : LIGHT;
}
