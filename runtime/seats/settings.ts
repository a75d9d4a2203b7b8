// A seat's settings with their defaults. Pure.
import type { SeatSettings } from '../../protocol/status.js';

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
