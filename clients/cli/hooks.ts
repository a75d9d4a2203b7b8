// `openfloor hooks`: how an agent or a shell without a signal of its own reports its status. Always true: `print` only prints;
// `install` writes one new file where it is told to and never changes one that exists; `relay` is silent and gives up quickly,
// since the agent waits for it, and forwards names and short flags, never arguments.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { printable } from './print.js';
import { subVerb } from './sub.js';

const CLAUDE_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'Notification',
  'Stop',
  'SessionEnd',
];
const GEMINI_EVENTS = ['BeforeAgent', 'Notification', 'AfterAgent'];

function hookSettings(agent: string, events: readonly string[]): string {
  const command = `openfloor hooks relay ${agent}`;
  const entry = [{ hooks: [{ type: 'command', command, timeout: 5 }] }];
  return `${JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, entry])) }, null, 2)}\n`;
}

/** OSC 133: A prompt, B input, C output, D end with the exit status. */
const SHELLS: Readonly<Record<string, string>> = {
  bash: `# openfloor: marks of the prompt (OSC 133), for ~/.bashrc
PS0="\${PS0}\\[\\e]133;C\\e\\\\\\]"
PROMPT_COMMAND='printf "\\e]133;D;%s\\e\\\\\\e]133;A\\e\\\\" "$?"'"\${PROMPT_COMMAND:+;$PROMPT_COMMAND}"
PS1="\${PS1}\\[\\e]133;B\\e\\\\\\]"
`,
  zsh: `# openfloor: marks of the prompt (OSC 133), for ~/.zshrc
precmd() { print -Pn "\\e]133;D;%?\\e\\\\\\e]133;A\\e\\\\" }
preexec() { print -n "\\e]133;C\\e\\\\" }
PS1="\${PS1}%{$(print -n '\\e]133;B\\e\\\\')%}"
`,
  fish: `# openfloor: marks of the prompt (OSC 133), for ~/.config/fish/conf.d/openfloor.fish
function __openfloor_prompt --on-event fish_prompt; printf '\\e]133;A\\e\\\\'; end
function __openfloor_preexec --on-event fish_preexec; printf '\\e]133;C\\e\\\\'; end
function __openfloor_postexec --on-event fish_postexec; printf '\\e]133;D;%s\\e\\\\' $status; end
`,
};

interface Recipe {
  /** Where it belongs, for a person. */
  readonly place: string;
  readonly text: () => string;
}

function plugin(): string {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  return readFileSync(join(root, 'runtime/agents/files/opencode-status.js'), 'utf8');
}

const RECIPES: Readonly<Record<string, Recipe>> = {
  'claude-code': {
    place: '~/.claude/settings.json (merge "hooks")',
    text: () => hookSettings('claude-code', CLAUDE_EVENTS),
  },
  codex: {
    place: '~/.codex/hooks.json; Codex asks once to trust it',
    text: () =>
      hookSettings('codex', ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest', 'Stop']),
  },
  'gemini-cli': {
    place: '~/.gemini/settings.json (merge "hooks"); it needs none: its title tells',
    text: () => hookSettings('gemini-cli', GEMINI_EVENTS),
  },
  'qwen-code': {
    place: '~/.qwen/settings.json (merge "hooks")',
    text: () => hookSettings('qwen-code', CLAUDE_EVENTS),
  },
  opencode: { place: '~/.config/opencode/plugins/openfloor-status.js', text: plugin },
  ...Object.fromEntries(
    Object.entries(SHELLS).map(([name, text]) => [
      name,
      { place: `the start-up file of ${name}`, text: () => text },
    ]),
  ),
};

function recipeOf(name: string): Recipe {
  const recipe = RECIPES[name];
  if (recipe !== undefined && Object.hasOwn(RECIPES, name)) return recipe;
  throw new CliError(
    'unknown_agent',
    `there are no hooks for ${JSON.stringify(name)}`,
    `Known: ${Object.keys(RECIPES).join(', ')}.`,
  );
}

/** Fields of a hook event that rules may ask for; nothing of what the agent was told or does. */
const FIELDS = [
  'notification_type',
  'source',
  'subtype',
  'type',
  'reason',
  'matcher',
  'agent_id',
  'agent_type',
  'permission_mode',
];
const RELAY_LIMIT_MS = 1_500;

export function relayed(
  input: unknown,
): { event: string; fields: Record<string, string | boolean | number | null | null[]> } | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const record = input as Record<string, unknown>;
  const event = record.hook_event_name ?? record.event ?? record.type;
  if (typeof event !== 'string' || event === '' || event.length > 128) return undefined;
  const fields: Record<string, string | boolean | number | null | null[]> = {};
  for (const name of FIELDS) {
    const value = record[name];
    if (typeof value === 'string' ? value.length <= 256 : typeof value === 'boolean' || value === null) {
      fields[name] = value as string | boolean | null;
    }
  }
  // How many there are, not what they do.
  if (Array.isArray(record.background_tasks))
    fields.background_tasks = record.background_tasks.slice(0, 64).map(() => null);
  return { event, fields };
}

async function relay(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { OPENFLOOR_URL: url, OPENFLOOR_TOKEN: token } = env;
  if (url === undefined || token === undefined) return;
  try {
    const body = relayed(JSON.parse(readFileSync(0, 'utf8')));
    if (body === undefined) return;
    await fetch(`${url}/api/activity/hooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(RELAY_LIMIT_MS),
    });
  } catch {
    // A hook that complains disturbs the agent; its status is then unknown, which says enough.
  }
}

export const define: DefineVerb = (command, context) => {
  command
    .helpCommand(false)
    .addHelpText(
      'after',
      example(
        'openfloor hooks print claude-code',
        'openfloor hooks print zsh',
        'openfloor hooks install opencode --to ~/.config/opencode/plugins/openfloor-status.js',
      ),
    );
  subVerb(command, 'print', 'what to put where, for an agent or a shell')
    .argument('<name>', Object.keys(RECIPES).join(', '))
    .action((name: string) => {
      const paper = context();
      const { place, text } = recipeOf(name);
      if (paper.json) paper.sayJson({ name, place, text: text() });
      else {
        process.stderr.write(`For ${place}:\n`);
        paper.say(text());
      }
    });
  subVerb(command, 'install', 'write it to a new file')
    .argument('<name>')
    .requiredOption('--to <file>', 'the file, which must not exist')
    .action((name: string, { to }: { to: string }) => {
      const paper = context();
      const file = resolve(to);
      const { text } = recipeOf(name);
      if (existsSync(file))
        throw new CliError(
          'file_exists',
          `${file} exists`,
          'Merge it by hand: openfloor hooks print ' + name,
        );
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text(), { flag: 'wx' });
      if (paper.json) paper.sayJson({ ok: true, file });
      else paper.say(`Wrote ${printable(file)}.\n`);
    });
  subVerb(command, 'relay', 'inside a seat: forward a hook event from standard input')
    .argument('[agent]')
    .action(() => relay(context().env));
};
