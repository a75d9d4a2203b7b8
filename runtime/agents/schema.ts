// The shape of a pack file: what the runtime knows of one agent, as data. Always true: an unknown field is an error, every
// rule names the versions it holds for and where it was taken from. What a field means stands in spec/packs.md; what no
// schema can say (ranges that parse, ids that are unique) is checked in `check.ts`.
import Type, { type Static } from 'typebox';
import {
  CHOICE_CLASSES,
  DIALOG_CURSORS,
  DIALOG_EDGES,
  DIALOG_LAYOUTS,
  ROW_PLACES,
  ROW_SAYS,
} from '../composer/reading-pack.js';
import { PROGRESS_STATES } from '../status/progress.js';
import { BACKGROUNDS, BLOCKED_KINDS, MEANS } from '../status/rule.js';

const closed = { additionalProperties: false } as const;
const Text = Type.String({ minLength: 1, maxLength: 256 });
const Texts = Type.Array(Text, { maxItems: 32 });
const Ms = Type.Integer({ minimum: 1, maximum: 86_400_000 });
const Column = Type.Integer({ minimum: 0, maximum: 40 });
const Color = Type.String({ pattern: '^#[0-9a-f]{6}$' });

const TextMatch = Type.Object(
  {
    equals: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { minItems: 1, maxItems: 32 })),
    starts_with: Type.Optional(Type.Array(Text, { minItems: 1, maxItems: 32 })),
    contains: Type.Optional(Type.Array(Text, { minItems: 1, maxItems: 32 })),
    first_between: Type.Optional(Type.Tuple([Text, Text])),
  },
  closed,
);

/** Where a fact comes from and for which versions it holds. */
const known = { versions: Text, recording: Text };

const meaning = {
  id: Text,
  means: Type.Enum([...MEANS]),
  kind: Type.Optional(Type.Enum([...BLOCKED_KINDS])),
  stale_ms: Type.Optional(Ms),
  background: Type.Optional(Type.Enum([...BACKGROUNDS])),
  ...known,
};

const Rule = Type.Object(
  {
    ...meaning,
    on: Type.Enum(['title', 'progress', 'notify', 'prompt']),
    text: Type.Optional(TextMatch),
    heading: Type.Optional(TextMatch),
    states: Type.Optional(Type.Array(Type.Enum([...PROGRESS_STATES]), { minItems: 1 })),
    marks: Type.Optional(
      Type.Array(Type.Enum(['prompt_start', 'input_start', 'output_start', 'finished']), { minItems: 1 }),
    ),
  },
  closed,
);

const Hook = Type.Object(
  {
    ...meaning,
    event: Text,
    where: Type.Optional(Type.Record(Text, Texts)),
    has: Type.Optional(Texts),
  },
  closed,
);

const Process = Type.Object(
  {
    names: Texts,
    scripts: Type.Optional(Texts),
    version_after: Type.Optional(Texts),
    any: Type.Optional(Type.Boolean()),
    companions: Type.Optional(
      Type.Object({ names: Type.Optional(Texts), scripts: Type.Optional(Texts) }, closed),
    ),
  },
  closed,
);

const Composer = Type.Object(
  {
    screen: Type.Enum(['main', 'alternate', 'either']),
    box: Type.Object(
      {
        above: Type.Optional(Text),
        below: Type.Optional(Text),
        left: Type.Optional(Text),
        /** One background, other than the default; its colour depends on the terminal's. */
        filled: Type.Optional(Type.Boolean()),
        /** The rule above may carry words, such as Pi's `── ⠋ Working ──`. */
        labelled: Type.Optional(Type.Boolean()),
        /** Rows of the box above and below the input. */
        pad_above: Type.Optional(Type.Integer({ minimum: 0, maximum: 8 })),
        pad_below: Type.Optional(Type.Integer({ minimum: 0, maximum: 8 })),
      },
      closed,
    ),
    prompts: Type.Array(Text, { maxItems: 8 }),
    command_prompts: Type.Optional(Type.Array(Text, { maxItems: 8 })),
    prompt_column: Column,
    text_column: Column,
    hint: Type.Object(
      {
        style: Type.Enum(['dim', 'foreground', 'none']),
        colors: Type.Optional(Type.Array(Color, { minItems: 1, maxItems: 8 })),
      },
      closed,
    ),
    /** Where the hardware cursor is while the composer has the keyboard, and in a dialog. */
    cursor: Type.Object(
      {
        composer: Type.Enum(['visible', 'hidden_on_caret']),
        dialog: Type.Enum([...DIALOG_CURSORS]),
      },
      closed,
    ),
    ...known,
  },
  closed,
);

const Row = Type.Object(
  {
    id: Text,
    text: TextMatch,
    where: Type.Enum([...ROW_PLACES]),
    within: Type.Optional(Type.Integer({ minimum: 1, maximum: 16 })),
    says: Type.Enum([...ROW_SAYS]),
    ...known,
  },
  closed,
);

const PasteLabel = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: 200 }),
    unit: Type.Enum(['lines', 'characters']),
    /** Lines or characters of the text = the label's number + this. */
    offset: Type.Integer({ minimum: -2, maximum: 2 }),
    exact: Type.Boolean(),
    ...known,
  },
  closed,
);

const Choice = Type.Object(
  {
    label: TextMatch,
    class: Type.Enum([...CHOICE_CLASSES]),
    /** What is written to choose it; absent: nobody measured it. */
    keys: Type.Optional(Type.String({ minLength: 1, maxLength: 8 })),
    /** `selected`: the keys choose it only while the option glyph stands before it. */
    when: Type.Optional(Type.Enum(['listed', 'selected'])),
  },
  closed,
);

const Dialog = Type.Object(
  {
    id: Text,
    kind: Type.Enum([...BLOCKED_KINDS]),
    question: TextMatch,
    edge: Type.Enum([...DIALOG_EDGES]),
    layout: Type.Enum([...DIALOG_LAYOUTS]),
    /** Stands before the selected option. */
    option_glyph: Type.Optional(Text),
    footer: Type.Optional(TextMatch),
    /** A row that shows a text cut short; default: one with an ellipsis. */
    truncated: Type.Optional(TextMatch),
    choices: Type.Array(Choice, { maxItems: 16 }),
    ...known,
  },
  closed,
);

const Settle = Type.Object(
  {
    quiet_ms: Ms,
    min_ms: Ms,
    max_ms: Ms,
    large: Type.Optional(
      Type.Object({ above_bytes: Type.Integer({ minimum: 1 }), quiet_ms: Ms, min_ms: Ms }, closed),
    ),
  },
  closed,
);

const Launch = Type.Object(
  {
    env: Type.Record(Text, Type.String({ maxLength: 1024 })),
    /** Not set when the caller's environment has one of these. */
    unless_env: Type.Optional(Texts),
    args: Texts,
    files: Type.Array(Type.Object({ to: Text, from: Text }, closed), { maxItems: 8 }),
  },
  closed,
);

const Args = Type.Array(Text, { minItems: 1, maxItems: 16 });
const Conversation = Type.Object(
  {
    /** Arguments after the command; `{id}` is the conversation id, `{new_id}` a UUID of ours. */
    start: Type.Optional(Args),
    resume: Type.Optional(Args),
    fork: Type.Optional(Args),
    /** What is typed into the composer. */
    compact: Type.Optional(Text),
    /** Field of a hook event that holds the id. */
    id_field: Type.Optional(Text),
    /** Arguments that choose the model or the effort; `{value}` is the choice. */
    model: Type.Optional(Args),
    effort: Type.Optional(Args),
    ...known,
  },
  closed,
);

export const PACK_SCHEMA = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }),
    title: Text,
    kind: Type.Enum(['agent', 'terminal']),
    /** Lower ones are tried first by `auto`; default 50. */
    order: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    apps: Texts,
    process: Process,
    /** How it speaks OSC 7501: `answered`, only if the terminal answers its query; `launch`, only as Openfloor starts it. */
    program_status: Type.Enum(['always', 'answered', 'launch', 'never']),
    /** What a reported idle means where the agent reports it before it takes input. */
    reported_idle: Type.Optional(Type.Enum(['idle', 'idle_or_blocked'])),
    /** How long a tenure's first rest must stand before it is idle. */
    first_rest_ms: Type.Optional(Ms),
    /** What to do when no channel reports. */
    install: Type.Optional(Text),
    rules: Type.Array(Rule, { maxItems: 64 }),
    hooks: Type.Array(Hook, { maxItems: 64 }),
    interrupt: Type.Object({ keys: Type.Array(Type.Enum(['escape', 'ctrl_c']), { maxItems: 2 }) }, closed),
    command: Type.Optional(Args),
    command_prefixes: Type.Array(Type.String({ minLength: 1, maxLength: 4 }), { maxItems: 16 }),
    composer: Type.Optional(Composer),
    rows: Type.Array(Row, { maxItems: 32 }),
    paste_labels: Type.Array(PasteLabel, { maxItems: 8 }),
    dialogs: Type.Array(Dialog, { maxItems: 32 }),
    settle: Settle,
    /** How long a start may take until the first signal. */
    ready_ms: Ms,
    launch: Launch,
    conversation: Type.Optional(Conversation),
  },
  closed,
);

/** A pack as the file has it. */
export type PackFile = Static<typeof PACK_SCHEMA>;
