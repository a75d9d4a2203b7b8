// The demo agent's switches: how a habit, good or bad, is asked for on its command line. Always true: an unknown switch or
// a bad value is refused with one sentence that names what is allowed. It reads nothing but its argument.

export const STATUS_MODES = ['query', 'always', 'titles', 'none'] as const;
export type StatusMode = (typeof STATUS_MODES)[number];

/** What the agent does differently from a well-behaved one; durations in milliseconds, 0 is never. */
export interface Switches {
  /** File that every submission and every read of the terminal is appended to. */
  readonly journal: string;
  readonly status: StatusMode;
  /** Turns bracketed paste on (2004). */
  readonly paste: boolean;
  readonly alt: boolean;
  /** Flags of the kitty keyboard protocol that it sets. */
  readonly kitty: number;
  readonly boot: number;
  readonly trust: boolean;
  /** Text of the suggestion in an empty composer. */
  readonly ghost: string;
  /** A message that comes while it works ends the turn and is taken at once; otherwise it is queued. */
  readonly steer: boolean;
  readonly vim: boolean;
  readonly popup: boolean;
  readonly burst: number;
  readonly slowPaste: number;
  /** How far the count in a paste's label is off. */
  readonly miscount: number;
  /** A paste's label gets another number so much later. */
  readonly relabel: number;
  /** Characters of a large paste that stand behind its label. */
  readonly labelTail: number;
  /** Each frame is a synchronized update that is left open for so long. */
  readonly sync: number;
  /** Enters that have no effect; all of them when infinite. */
  readonly swallowEnter: number;
  readonly lateClear: number;
  readonly dialogOnPaste: number;
  readonly dialogUnreported: boolean;
  readonly stall: boolean;
  readonly staticTitle: boolean;
  readonly footerNoise: boolean;
  readonly silentWorking: boolean;
  readonly exitToShell: boolean;
  /** What the banner says of the conversation: resumed, forked, model, effort. */
  readonly conversation: readonly string[];
}

export const DEFAULTS: Switches = {
  journal: '',
  status: 'query',
  paste: true,
  alt: false,
  kitty: 0,
  boot: 0,
  trust: false,
  ghost: '',
  steer: false,
  vim: false,
  popup: false,
  burst: 0,
  slowPaste: 0,
  miscount: 0,
  relabel: 0,
  labelTail: 0,
  sync: 0,
  swallowEnter: 0,
  lateClear: 0,
  dialogOnPaste: 0,
  dialogUnreported: false,
  stall: false,
  staticTitle: false,
  footerNoise: false,
  silentWorking: false,
  exitToShell: false,
  conversation: [],
};

type Taken = Partial<Switches> | string;
interface Rule {
  /** `flag`: no value. `value`: the next word, or after `=`. `maybe`: a value only after `=`. */
  readonly takes: 'flag' | 'value' | 'maybe';
  /** What the value changes, or the sentence that refuses it. */
  readonly take: (value: string | undefined, so: Switches) => Taken;
}

/** Longest duration that a switch takes: a day. */
const LONGEST_MS = 86_400_000;

const flag = (change: Partial<Switches>): Rule => ({ takes: 'flag', take: () => change });
const number = (change: (value: number) => Partial<Switches>, most: number, absent?: number): Rule => ({
  takes: absent === undefined ? 'value' : 'maybe',
  take: (value) => {
    if (value === undefined && absent !== undefined) return change(absent);
    const parsed = /^\d{1,9}$/.test(value ?? '') ? Number(value) : Number.NaN;
    return parsed <= most ? change(parsed) : `takes a whole number from 0 to ${most}`;
  },
});
const text = (change: (value: string, so: Switches) => Taken): Rule => ({
  takes: 'value',
  take: (value = '', so) => change(value, so),
});
const told = (label: string) =>
  text((value, so) => ({ conversation: [...so.conversation, `${label} ${value}`] }));

const RULES: Readonly<Record<string, Rule>> = {
  journal: text((journal) => ({ journal })),
  status: text((value) => {
    const status = STATUS_MODES.find((mode) => mode === value);
    return status ? { status } : `takes one of ${STATUS_MODES.join(', ')}`;
  }),
  'no-paste': flag({ paste: false }),
  alt: flag({ alt: true }),
  kitty: number((kitty) => ({ kitty }), 31, 1),
  boot: number((boot) => ({ boot }), LONGEST_MS),
  trust: flag({ trust: true }),
  ghost: text((ghost) => ({ ghost })),
  queue: flag({ steer: false }),
  steer: flag({ steer: true }),
  vim: flag({ vim: true }),
  popup: flag({ popup: true }),
  burst: number((burst) => ({ burst }), LONGEST_MS),
  'slow-paste': number((slowPaste) => ({ slowPaste }), LONGEST_MS),
  miscount: number((miscount) => ({ miscount }), 1_000, 1),
  relabel: number((relabel) => ({ relabel }), LONGEST_MS),
  'label-tail': number((labelTail) => ({ labelTail }), 10_000),
  sync: number((sync) => ({ sync }), LONGEST_MS),
  'swallow-enter': number((swallowEnter) => ({ swallowEnter }), 1_000_000, Number.POSITIVE_INFINITY),
  'late-clear': number((lateClear) => ({ lateClear }), LONGEST_MS),
  'dialog-on-paste': number((dialogOnPaste) => ({ dialogOnPaste }), LONGEST_MS, 1),
  'dialog-unreported': flag({ dialogUnreported: true }),
  stall: flag({ stall: true }),
  'static-title': flag({ staticTitle: true }),
  'footer-noise': flag({ footerNoise: true }),
  'silent-working': flag({ silentWorking: true }),
  'exit-to-shell': flag({ exitToShell: true }),
  'session-id': told('conversation'),
  resume: told('resumed'),
  'fork-session': { takes: 'flag', take: (_, so) => ({ conversation: [...so.conversation, 'forked'] }) },
  model: told('model'),
  effort: told('effort'),
};

/** Every switch, without its dashes, in the order of the spec. */
export const SWITCH_NAMES: readonly string[] = Object.keys(RULES);

/** The switches of a command line, or one sentence that says what is wrong with it. */
export function parseSwitches(argv: readonly string[]): Switches | string {
  let so = DEFAULTS;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    const [, name = '', equals, after = ''] = /^--([a-z-]+)(=)?(.*)$/s.exec(word) ?? [];
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    if (rule === undefined || (equals === undefined && after !== '')) {
      return `There is no switch ${JSON.stringify(word)}; there are --${SWITCH_NAMES.join(', --')}.`;
    }
    if (rule.takes === 'flag' && equals) return `--${name} takes no value.`;
    let value: string | undefined = equals ? after : undefined;
    if (rule.takes === 'value' && value === undefined) {
      value = argv[++i];
      if (value === undefined) return `--${name} needs a value.`;
    }
    const taken = rule.take(value, so);
    if (typeof taken === 'string') return `--${name} ${taken}.`;
    so = { ...so, ...taken };
  }
  return so;
}
