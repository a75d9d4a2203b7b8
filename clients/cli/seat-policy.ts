// Sub-verbs of `openfloor seat` about who may intervene: the policy, and the compaction that it governs. Always true: a
// change replaces the whole choice and has a reason.
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  ACTORS,
  type Actor,
  CAPABILITIES,
  type Capability,
  type PolicyBody,
  type PolicyValue,
  PRESETS,
  type Preset,
} from '../../protocol/policy.js';
import { openClient } from './client.js';
import type { Context } from './context.js';
import { printable } from './print.js';
import { sayReceipt } from './receipt.js';
import { line } from './status/report.js';
import { several, subVerb } from './sub.js';

type Verdict = 'allow' | 'deny';

interface PolicyOptions {
  readonly preset: Preset;
  readonly helper?: string[];
  readonly instruction?: string;
  readonly reason: string;
  readonly operator?: string;
  readonly rigDefault?: boolean;
  readonly [exception: string]: unknown;
}

function parseVerdict(text: string): Verdict {
  if (text === 'allow' || text === 'deny') return text;
  throw new InvalidArgumentError('Expected allow or deny.');
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

function exceptionsOf(options: PolicyOptions): PolicyBody['exceptions'] {
  const rows: Partial<Record<Actor, Partial<Record<Capability, Verdict>>>> = {};
  for (const actor of ACTORS) {
    for (const capability of CAPABILITIES) {
      const verdict = options[`${actor}${capital(capability)}`] as Verdict | undefined;
      if (verdict) rows[actor] = { ...rows[actor], [capability]: verdict };
    }
  }
  return rows;
}

/** The choice for people: who may do what, and what is only said. */
export function policyText(paper: Context, seat: string, policy: PolicyValue): string {
  const rows = ACTORS.map((actor) => {
    const { compaction = '', model = '' } = policy.table[actor] ?? {};
    return line(paper, actor, printable(`compaction ${compaction}, model ${model}`));
  });
  const { helpers, instruction } = policy;
  return [
    line(paper, printable(seat), printable(policy.choice)),
    ...rows,
    helpers.length === 0 ? '' : line(paper, 'helpers', printable(helpers.join(', '))),
    instruction === '' ? '' : line(paper, 'instruction', printable(instruction)),
  ].join('');
}

export function definePolicy(command: Command, context: () => Context): void {
  const policy = subVerb(command, 'set-terminal-policy', 'who may compact the agent and change its model')
    .argument('<seat>')
    .addOption(
      new Option('--preset <name>', 'no peer may; named helpers may compact; peers may both')
        .choices(PRESETS)
        .makeOptionMandatory(),
    )
    .option('--helper <seat>', 'a seat that help-within-instructions names; may be repeated', several)
    .option('--instruction <text>', 'what helpers should know; shown to them, never interpreted')
    .requiredOption('--reason <text>', 'why, for the audit feed')
    .option('--operator <address>', 'who is behind the change, as a label in the audit feed')
    .option('--rig-default', 'seats that are added to this rig later begin with it too');
  for (const actor of ACTORS) {
    for (const capability of CAPABILITIES) {
      const what = `whatever the preset says of ${actor === 'self' ? 'the seat itself' : actor}`;
      policy.option(`--${actor}-${capability} <allow|deny>`, what, parseVerdict);
    }
  }
  policy.action(async (seat: string, options: PolicyOptions) => {
    const paper = context();
    const { preset, helper, instruction, reason, operator, rigDefault } = options;
    const exceptions = exceptionsOf(options);
    const set = await (await openClient(paper)).seats.setPolicy(seat, {
      preset,
      reason,
      ...(helper === undefined ? {} : { helpers: helper }),
      ...(instruction === undefined ? {} : { instruction }),
      ...(exceptions && Object.keys(exceptions).length > 0 ? { exceptions } : {}),
      ...(operator === undefined ? {} : { operator }),
      ...(rigDefault === undefined ? {} : { rig_default: rigDefault }),
    });
    if (paper.json) paper.sayJson(set);
    else paper.say(policyText(paper, seat, set));
  });
  subVerb(command, 'compact', "compact the agent's conversation, by its own command, when the floor is free")
    .argument('<seat>')
    .option('--wait <seconds>', 'how long to wait for the floor', Number, 0)
    .action(async (seat: string, { wait }: { wait: number }) => {
      const paper = context();
      const receipt = await (await openClient(paper)).seats.compact(seat, { wait_ms: wait * 1_000 });
      sayReceipt(paper, receipt, `${printable(seat)} compacts its conversation.\n`);
    });
}
