// What to put where so that an agent or a shell reports its status: one recipe a name. Always true: a recipe is text alone;
// nothing is read from the user's folders here and nothing written.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from '../failure.js';

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

/** How a hook calls us: by name where PATH has it, else by this file, since hooks run with the agent's own PATH. */
function ownCommand(): string {
  const path = (process.env.PATH ?? '').split(delimiter);
  if (path.some((folder) => folder !== '' && existsSync(join(folder, 'openfloor')))) return 'openfloor';
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  return `${quoted(process.execPath)} ${quoted(main)}`;
}

function hookSettings(agent: string, events: readonly string[]): string {
  const command = `${ownCommand()} hooks relay ${agent}`;
  const entry = [{ hooks: [{ type: 'command', command, timeout: 5 }] }];
  return `${JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, entry])) }, null, 2)}\n`;
}

/** OSC 133: A prompt, B input, C output, D end with the exit status. */
const SHELLS: Readonly<Record<string, string>> = {
  bash: `# openfloor: marks of the prompt (OSC 133)
PS0="\${PS0}\\[\\e]133;C\\e\\\\\\]"
PROMPT_COMMAND='printf "\\e]133;D;%s\\e\\\\\\e]133;A\\e\\\\" "$?"'"\${PROMPT_COMMAND:+;$PROMPT_COMMAND}"
PS1="\${PS1}\\[\\e]133;B\\e\\\\\\]"
`,
  zsh: `# openfloor: marks of the prompt (OSC 133)
precmd() { print -Pn "\\e]133;D;%?\\e\\\\\\e]133;A\\e\\\\" }
preexec() { print -n "\\e]133;C\\e\\\\" }
PS1="\${PS1}%{$(print -n '\\e]133;B\\e\\\\')%}"
`,
  fish: `# openfloor: marks of the prompt (OSC 133)
function __openfloor_prompt --on-event fish_prompt; printf '\\e]133;A\\e\\\\'; end
function __openfloor_preexec --on-event fish_preexec; printf '\\e]133;C\\e\\\\'; end
function __openfloor_postexec --on-event fish_postexec; printf '\\e]133;D;%s\\e\\\\' $status; end
`,
};

export interface Recipe {
  /** Where it belongs, for a person. */
  readonly place: string;
  /** The same below the home folder. */
  readonly file: string;
  /** What becomes of a file that exists: its "hooks" get ours too, the text is added at its end, or it is left alone. */
  readonly merge: 'hooks' | 'append' | 'none';
  /** What is left to do for a person. */
  readonly after?: string;
  readonly text: () => string;
}

function plugin(): string {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  return readFileSync(join(root, 'runtime/agents/files/opencode-status.js'), 'utf8');
}

function settings(agent: string, file: string, events: readonly string[], after?: string): Recipe {
  return {
    place: `~/${file} (merge "hooks")`,
    file,
    merge: 'hooks',
    text: () => hookSettings(agent, events),
    ...(after ? { after } : {}),
  };
}

function shell(name: string, file: string): Recipe {
  const text = () => SHELLS[name] ?? '';
  return { place: `~/${file}`, file, merge: 'append', text, after: `It holds from the next ${name} on.` };
}

const CODEX_EVENTS = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest', 'Stop'];
const TRUST = 'Codex asks once to trust it: answer at its next start.';
const OPENCODE_FILE = '.config/opencode/plugins/openfloor-status.js';

export const RECIPES: Readonly<Record<string, Recipe>> = {
  'claude-code': settings('claude-code', '.claude/settings.json', CLAUDE_EVENTS),
  codex: settings('codex', '.codex/hooks.json', CODEX_EVENTS, TRUST),
  'gemini-cli': settings('gemini-cli', '.gemini/settings.json', GEMINI_EVENTS, 'Its title tells as much.'),
  'qwen-code': settings('qwen-code', '.qwen/settings.json', CLAUDE_EVENTS),
  opencode: { place: `~/${OPENCODE_FILE}`, file: OPENCODE_FILE, merge: 'none', text: plugin },
  bash: shell('bash', '.bashrc'),
  zsh: shell('zsh', '.zshrc'),
  fish: shell('fish', '.config/fish/conf.d/openfloor.fish'),
};

export function recipeOf(name: string): Recipe {
  const recipe = RECIPES[name];
  if (recipe !== undefined && Object.hasOwn(RECIPES, name)) return recipe;
  throw new CliError(
    'unknown_agent',
    `there are no hooks for ${JSON.stringify(name)}`,
    `Known: ${Object.keys(RECIPES).join(', ')}.`,
  );
}
