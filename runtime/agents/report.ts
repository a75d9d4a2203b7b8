// Which channel will report an agent's status, in one line for `run`, or what to install if none. Always true: it says what
// the pack knows, not what has been seen; `status --explain` says that.
import type { HardChannel } from '../status/status.js';
import type { Pack } from './load.js';

export interface Reporting {
  readonly channel: HardChannel | 'none';
  /** One sentence. */
  readonly text: string;
}

/** `launchHooks`: Openfloor starts the agent and may add its own hook or plugin. */
export function reportingOf(pack: Pack, launchHooks: boolean): Reporting {
  const { title, program_status, rules, hooks, install } = pack;
  if (program_status === 'always' || program_status === 'answered')
    return { channel: 'program_status', text: `${title} reports its status itself (OSC 7501).` };
  if (program_status === 'launch' && launchHooks)
    return {
      channel: 'program_status',
      text: `${title} reports its status by a plugin that this session adds.`,
    };
  const levels = rules.filter((rule) => rule.means === 'idle' || rule.means === 'idle_or_blocked');
  if (levels.length > 0)
    return { channel: 'sequence', text: `${title} shows its status in its ${levels[0]?.on}.` };
  if (hooks.some((rule) => rule.means === 'idle'))
    return {
      channel: 'hook',
      text: `${title} reports its status only by hooks: ${install ?? 'install them'}.`,
    };
  return {
    channel: 'none',
    text: `${title} reports no status here, so automation waits: ${install ?? 'no channel is known'}.`,
  };
}
