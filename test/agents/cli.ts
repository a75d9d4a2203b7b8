// The agent CLIs under test: package and version, how each is seeded to talk to the mock model only, and its habits. Always
// true: a HOME of its own for every run, no credential but a fake key, no update, no telemetry.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../support/byte-vector.js';

export interface Place {
  readonly home: string;
  readonly cwd: string;
  /** Address of the mock model. */
  readonly model: string;
}

export interface Cli {
  readonly id: string;
  readonly package: string;
  readonly version: string;
  /** Pack that must recognise it. */
  readonly pack: string;
  /** Typed into the shell. */
  readonly command: string;
  readonly node24?: boolean;
  /** Typed into the composer to leave. */
  readonly exit: string;
  /** Each its own write, with a pause between. */
  readonly interrupt: readonly string[];
  readonly approve: string;
  /** What the dialog of a tool call is. */
  readonly dialogKind: string;
  /** Opens the composer's text in $EDITOR; each key its own write. */
  readonly editor: readonly string[];
  readonly startMs: number;
  /** Keys that answer a dialog which comes up at the first start, and its kind. */
  readonly startDialog?: { readonly kind: string; readonly keys: readonly string[] };
  /** Writes the configuration and gives the environment. */
  seed(place: Place): Readonly<Record<string, string>>;
}

function write(path: string, value: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

const FAKE_KEY = 'sk-ant-fake-00000000000000000000';

function seedClaude(version: string, settings: object = {}) {
  return ({ home, cwd, model }: Place) => {
    write(join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      lastOnboardingVersion: version,
      theme: 'dark',
      numStartups: 5,
      customApiKeyResponses: { approved: [FAKE_KEY.slice(-20)], rejected: [] },
      projects: {
        [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] },
      },
    });
    const permissions = { defaultMode: 'default' };
    write(join(home, '.claude/settings.json'), { theme: 'dark', permissions, ...settings });
    return {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: FAKE_KEY,
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    };
  };
}

function seedCodex({ home, cwd, model }: Place) {
  write(
    join(home, '.codex/config.toml'),
    `model = "gpt-5.1-codex"
model_provider = "mock"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
[projects."${cwd}"]
trust_level = "trusted"
[analytics]
enabled = false
`,
  );
  return { MOCK_KEY: 'fake' };
}

/** Pi asks for nothing by itself: the dialog is an extension's. */
const PI_ASKS = `export default function (pi) {
  pi.on('tool_call', async (event, ctx) => {
    if (event.toolName !== 'bash') return undefined;
    const choice = await ctx.ui.select('Allow this command?', ['Yes', 'No']);
    return choice === 'Yes' ? undefined : { block: true, reason: 'not allowed' };
  });
}
`;

function seedPi({ home, model }: Place) {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const known = { id: 'mock-model', name: 'Mock', reasoning: false, input: ['text'], cost };
  write(join(home, '.pi/agent/models.json'), {
    providers: {
      mock: {
        baseUrl: `${model}/v1`,
        api: 'openai-completions',
        apiKey: 'fake',
        models: [{ ...known, contextWindow: 128_000, maxTokens: 8_000 }],
      },
    },
  });
  write(join(home, '.pi/agent/settings.json'), { defaultProvider: 'mock', defaultModel: 'mock-model' });
  write(join(home, '.pi/agent/extensions/asks.ts'), PI_ASKS);
  return { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' };
}

function seedGemini({ home, cwd, model }: Place) {
  write(join(home, '.gemini/settings.json'), {
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
  });
  write(join(home, '.gemini/trustedFolders.json'), { [cwd]: 'TRUST_FOLDER' });
  return { GEMINI_API_KEY: 'fake', GOOGLE_GEMINI_BASE_URL: model };
}

function seedOpencode({ home, model }: Place) {
  write(join(home, '.config/opencode/opencode.json'), {
    $schema: 'https://opencode.ai/config.json',
    provider: {
      mock: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Mock',
        options: { baseURL: `${model}/v1`, apiKey: 'fake' },
        models: { 'mock-model': { name: 'Mock Model' } },
      },
    },
    model: 'mock/mock-model',
    small_model: 'mock/mock-model',
    permission: { bash: 'ask' },
    autoupdate: false,
  });
  // A shell that starts it gets no launch help, so its plugin lies where `hooks install opencode` puts it.
  const plugin = readFileSync(join(packageRoot(), 'runtime/agents/files/opencode-status.js'), 'utf8');
  write(join(home, '.config/opencode/plugins/openfloor-status.js'), plugin);
  return {
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  };
}

const ESC = '\x1b';
const CTRL_G = '\x07';
const habits = {
  interrupt: [ESC],
  approve: '\r',
  dialogKind: 'permission',
  editor: [CTRL_G],
  startMs: 60_000,
};
const claude = {
  ...habits,
  package: '@anthropic-ai/claude-code',
  pack: 'claude-code',
  command: 'claude',
  exit: '/exit',
};
/** Asks whether auto mode becomes the default; the answer is no. */
const newClaude = {
  ...claude,
  version: '2.1.332',
  startDialog: { kind: 'question', keys: ['\x1b[B', '\r'] },
};

/** In order of importance. */
export const CLIS: readonly Cli[] = [
  { ...newClaude, id: 'claude-new', seed: seedClaude('2.1.332') },
  {
    ...habits,
    id: 'codex',
    package: '@openai/codex',
    version: '0.171.0',
    pack: 'codex',
    command: 'codex',
    exit: '/quit',
    approve: 'y',
    startMs: 120_000,
    seed: seedCodex,
  },
  { ...claude, id: 'claude-old', version: '2.1.197', seed: seedClaude('2.1.197') },
  {
    ...habits,
    id: 'pi',
    package: '@earendil-works/pi-coding-agent',
    version: '1.6.0',
    pack: 'pi',
    command: 'pi',
    node24: true,
    exit: '/quit',
    dialogKind: 'question',
    seed: seedPi,
  },
  {
    ...habits,
    id: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    pack: 'gemini-cli',
    command: 'gemini',
    node24: true,
    exit: '/quit',
    startMs: 120_000,
    seed: seedGemini,
  },
  {
    ...habits,
    id: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    pack: 'opencode',
    command: 'opencode',
    editor: ['\x18', 'e'],
    exit: '/exit',
    interrupt: [ESC, ESC],
    startMs: 180_000,
    seed: seedOpencode,
  },
  { ...newClaude, id: 'claude-classic', version: '2.1.332', seed: seedClaude('2.1.332', { tui: 'default' }) },
];
