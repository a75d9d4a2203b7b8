// The rules of the house as functions over source text: which room may import which, who owns a package's door, banned
// names, sizes, first comments. Pure, so that planted violations can be tested without touching the tree.

export interface Source {
  /** Path below the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Rooms that hold decisions only: no clock, no I/O, nothing of Node. */
export const PURE_ROOMS = [
  'protocol',
  'runtime/terminal',
  'runtime/status',
  'runtime/input',
  'runtime/floor',
  'runtime/composer',
];

/** room -> rooms it may import, besides itself and protocol. The longest matching room counts. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  'runtime/terminal': [],
  'runtime/status': [],
  'runtime/input': [],
  'runtime/floor': [],
  'runtime/composer': [],
  'runtime/agents': ['runtime/status', 'runtime/composer', 'runtime/package-root'],
  'runtime/pty': [],
  'runtime/screen': ['runtime/composer'],
  'runtime/session': [
    'runtime/floor',
    'runtime/status',
    'runtime/input',
    'runtime/composer',
    'runtime/terminal',
    'runtime/pty/port',
    'runtime/screen/port',
    'runtime/journal/port',
    'runtime/agents',
  ],
  'runtime/journal': [],
  'runtime/config': [],
  'runtime/seats': [
    'runtime/session',
    'runtime/journal/port',
    'runtime/agents',
    'runtime/floor',
    'runtime/status',
  ],
  'runtime/server': [
    'runtime/session',
    'runtime/seats',
    'runtime/journal/port',
    'runtime/config',
    'runtime/agents',
    'runtime/floor',
    'runtime/status',
  ],
  runtime: ['runtime/*'],
  shepherd: ['shepherd/*'],
  'shepherd/main.ts': ['shepherd/*', 'clients/sdk'],
  'clients/sdk': [],
  'clients/cli': ['clients/sdk'],
  'clients/cli/up.ts': ['clients/sdk', 'clients/cli', 'runtime/main', 'shepherd/main'],
  'clients/cli/agents.ts': ['clients/sdk', 'clients/cli', 'runtime/main'],
  'clients/cli/serve.ts': ['clients/sdk', 'clients/cli', 'runtime/main'],
  'clients/cli/shepherd.ts': ['clients/sdk', 'clients/cli', 'shepherd/main'],
  'clients/web': ['clients/sdk'],
  'clients/demo': ['clients/sdk'],
};

/** package -> path prefixes that may import it. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'node-pty': ['runtime/pty/'],
  ws: ['runtime/server/', 'clients/sdk/'],
  '@msgpack/msgpack': ['protocol/codec'],
  fastify: ['runtime/server/', 'shepherd/http'],
  '@fastify/': ['runtime/server/', 'shepherd/http'],
  'drizzle-orm': ['runtime/journal/', 'shepherd/store/'],
  'better-sqlite3': ['runtime/journal/', 'shepherd/store/'],
  '@xterm/headless': ['runtime/screen/'],
  '@xterm/addon-unicode11': ['runtime/screen/', 'clients/web/'],
  '@xterm/': ['clients/web/'],
  lit: ['clients/web/'],
  'smol-toml': ['runtime/config/'],
  commander: ['clients/cli/'],
  croner: ['shepherd/routine/'],
  pino: ['runtime/server/', 'runtime/main', 'shepherd/main'],
  'prom-client': ['runtime/server/'],
  uuidv7: ['runtime/', 'shepherd/', 'clients/'],
  typebox: ['protocol/', 'runtime/agents/', 'runtime/config/', 'runtime/server/', 'shepherd/'],
};

const BANNED_NAMES = /(^|[-/])(utils?|helpers?|common|shared|misc|types|manager|service|services)(\.|\/|$)/;
const LINE_LIMIT = 400;
const TEST_LINE_LIMIT = 600;
/** Tables and vectors are long by nature; they say so in their name. */
const EXEMPT = /(table|vectors?)\.ts$/;
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s+'([^']+)'|(?:^|\n)\s*import\s+'([^']+)'|import\('([^']+)'\)/g;

export function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function resolve(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/').replace(/\.js$/, '.ts');
}

function roomOf(path: string): string {
  const rooms = Object.keys(IMPORTS).filter((room) => path === room || path.startsWith(`${room}/`));
  return rooms.sort((a, b) => b.length - a.length)[0] ?? '';
}

function allowed(from: string, to: string): boolean {
  if (to.startsWith('protocol/')) return true;
  const room = roomOf(from);
  if (room === '') return false;
  const list = IMPORTS[room] ?? [];
  const own = room.endsWith('.ts') ? room.slice(0, room.lastIndexOf('/')) : room;
  if (own.includes('/') ? to.startsWith(`${own}/`) : roomOf(to) === own) return true;
  return list.some((entry) =>
    entry.endsWith('/*')
      ? to.startsWith(entry.slice(0, -1))
      : to.startsWith(`${entry}/`) || to === `${entry}.ts`,
  );
}

function doorProblem(path: string, specifier: string): string | undefined {
  const door = Object.keys(DOORS)
    .filter((name) => specifier === name || specifier.startsWith(name.endsWith('/') ? name : `${name}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (door === undefined) return `imports ${specifier}, a package without a door`;
  return DOORS[door]?.some((prefix) => path.startsWith(prefix))
    ? undefined
    : `imports ${specifier} past its door`;
}

function importProblems(source: Source, pure: boolean): string[] {
  const problems: string[] = [];
  for (const specifier of importsOf(source.text)) {
    if (specifier.startsWith('.')) {
      const target = resolve(source.path, specifier);
      if (!allowed(source.path, target)) problems.push(`may not import ${target}`);
    } else if (specifier.startsWith('node:')) {
      if (pure) problems.push(`is pure and imports ${specifier}`);
    } else {
      const problem = doorProblem(source.path, specifier);
      if (problem) problems.push(problem);
    }
  }
  return problems;
}

/** Everything that is wrong with one source file, a sentence each. */
export function problemsOf(source: Source): string[] {
  const { path, text } = source;
  const test = path.startsWith('test/');
  const pure = PURE_ROOMS.some((room) => path.startsWith(`${room}/`));
  const problems: string[] = [];
  const lines = text.split('\n').length - 1;
  if (!EXEMPT.test(path) && lines > (test ? TEST_LINE_LIMIT : LINE_LIMIT))
    problems.push(`has ${lines} lines`);
  if (BANNED_NAMES.test(path)) problems.push('has a name that says nothing');
  if (!/^(#!.*\n)?(\/\/|\/\*)/.test(text)) problems.push('does not begin with a comment');
  if (test) {
    if (path.endsWith('.test.ts') && !/\.run\(\)/.test(text)) problems.push('is a test without .run()');
    return problems;
  }
  problems.push(...importProblems(source, pure));
  if (pure && /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bperformance\./.test(text)) {
    problems.push('is pure and reads a clock or chance');
  }
  return problems;
}
