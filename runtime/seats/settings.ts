// A seat's settings with their defaults. Pure.
import type { Policy } from '../../protocol/policy.js';
import type { SeatSettings } from '../../protocol/status.js';
import type { Pack } from '../agents/load.js';
import { EMPTY_VIEW, type Settings } from '../floor/view.js';

export interface EffectiveSettings {
  readonly agent: string;
  readonly humanQuietMs: number;
  readonly confirmMs: number;
  readonly grantInBackground: boolean;
  readonly allowShellSends: boolean;
  readonly carriers: readonly string[];
  readonly model: string | undefined;
  readonly effort: string | undefined;
}

export interface SettingDefaults {
  readonly humanQuietMs: number;
  readonly confirmMs: number;
}

export function effectiveSettings(settings: SeatSettings, defaults: SettingDefaults): EffectiveSettings {
  return {
    agent: settings.agent ?? 'auto',
    humanQuietMs: settings.human_quiet_ms ?? defaults.humanQuietMs,
    confirmMs: settings.confirm_ms ?? defaults.confirmMs,
    grantInBackground: settings.grant_in_background ?? false,
    allowShellSends: settings.allow_shell_sends ?? false,
    carriers: settings.carriers ?? [],
    model: settings.model,
    effort: settings.effort,
  };
}

/** What the floor reads: the seat's own settings, and the settle times of the agent that was recognised. */
export function floorSettings(
  settings: EffectiveSettings,
  pack: Pack | undefined,
  policy: Policy | undefined,
): Settings {
  const { humanQuietMs, confirmMs, grantInBackground } = settings;
  const settle = { ...EMPTY_VIEW.settings.settle };
  if (pack === undefined) return { humanQuietMs, confirmMs, grantInBackground, settle, policy };
  const { quiet_ms, min_ms, max_ms, large } = pack.settle;
  return {
    humanQuietMs,
    confirmMs,
    grantInBackground,
    policy,
    settle: {
      minMs: min_ms,
      quietMs: quiet_ms,
      maxMs: max_ms,
      largeMinMs: large?.min_ms ?? Math.max(min_ms, settle.largeMinMs),
      largeBytes: large?.above_bytes ?? settle.largeBytes,
    },
  };
}
