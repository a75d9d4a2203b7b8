// Builds the environment of a session's child. Pure. Always true: no OPENFLOOR_* variable of the server or the caller
// gets through; only what the runtime itself adds may have that name. A variable that is left out against somebody's
// wish is told. It reads no environment itself.

/** Variables that the attach contract lets through (2.6), besides LC_*. */
const ALLOWED: ReadonlySet<string> = new Set(['TERM', 'LANG', 'PATH', 'HOME', 'USER', 'SHELL']);
const FORWARD = 'PTY_FORWARD_';
/** They describe the terminal that the caller sits at, and the child has another one: a program that sees TMUX wraps its
 * sequences for tmux, one that sees COLUMNS ignores its window. */
const OTHER_TERMINAL: ReadonlySet<string> = new Set([
  'TMUX',
  'TMUX_PANE',
  'STY',
  'WINDOW',
  'WINDOWID',
  'TERMCAP',
  'COLUMNS',
  'LINES',
]);

export type Variables = Readonly<Record<string, string | undefined>>;

export interface EnvironmentRequest {
  /** `contract`: the allowlist and PTY_FORWARD_*. `caller`: everything of `base` but OPENFLOOR_*. */
  readonly mode: 'contract' | 'caller';
  /** The server's environment, or the one that the caller of `run` sent. */
  readonly base: Variables;
  /** HOME when `base` has none. */
  readonly home: string;
  /** Asked for by a client; names are checked against the config's allowlist before. Wins over `base`. */
  readonly asked?: Variables;
  /** The runtime's own: the occupant's credential, a pack's `launch.env`. Wins over all, and may be OPENFLOOR_*. */
  readonly added?: Variables;
}

export type RefusalReason = 'reserved' | 'shadows_allowed' | 'malformed';

export interface Environment {
  readonly env: Record<string, string>;
  /** What was left out although somebody asked for it, to be logged by name; values are never repeated. */
  readonly refused: ReadonlyArray<{ readonly name: string; readonly reason: RefusalReason }>;
}

const isReserved = (name: string) => name.startsWith('OPENFLOOR_');
const isAllowed = (name: string) => ALLOWED.has(name) || name.startsWith('LC_');
const isWellFormed = (name: string, value: string) =>
  name !== '' && !/[=\0]/.test(name) && !value.includes('\0');

export function buildEnvironment(request: EnvironmentRequest): Environment {
  const { mode, base, home, asked = {}, added = {} } = request;
  const env = new Map<string, string>();
  const refused: Array<{ name: string; reason: RefusalReason }> = [];
  const set = (name: string, value: string, mayReserve: boolean) => {
    if (!isWellFormed(name, value)) refused.push({ name, reason: 'malformed' });
    else if (isReserved(name) && !mayReserve) refused.push({ name, reason: 'reserved' });
    else env.set(name, value);
  };

  for (const [name, value] of told(base)) {
    if (mode === 'contract') {
      if (isAllowed(name)) set(name, value, false);
      else if (name.startsWith(FORWARD)) forward(name.slice(FORWARD.length), value);
    } else if (!isReserved(name) && !OTHER_TERMINAL.has(name)) {
      set(name, value, false);
    }
  }
  function forward(name: string, value: string): void {
    if (name === '') return;
    if (isAllowed(name)) refused.push({ name: FORWARD + name, reason: 'shadows_allowed' });
    else set(name, value, false);
  }

  if (!env.has('TERM')) env.set('TERM', 'xterm-256color');
  if (!env.has('HOME')) env.set('HOME', home);
  // The contract has no COLORTERM; a person expects the colours of a terminal.
  if (mode === 'caller' && !env.has('COLORTERM')) env.set('COLORTERM', 'truecolor');
  for (const [name, value] of told(asked)) set(name, value, false);
  for (const [name, value] of told(added)) set(name, value, true);
  return { env: Object.fromEntries(env), refused };
}

function told(variables: Variables): Array<[string, string]> {
  return Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined);
}
