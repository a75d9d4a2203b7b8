// When a session expires (attach contract 2.7): absolutely, counted from its leader's start, attached or not; and idle,
// counted from the last activity, only while nobody is attached. Pure: `nextDeadline` says when to ask again.
import { TTL_WARNING_MS } from '../../protocol/limit.js';

export interface LifetimeRules {
  /** Milliseconds, or undefined for never. */
  readonly absoluteMs: number | undefined;
  readonly detachedIdleMs: number | undefined;
}

export interface LifetimeFacts {
  readonly startedAt: number;
  readonly lastActivityAt: number;
  readonly attached: boolean;
  readonly warned: boolean;
}

export type LifetimeVerdict =
  | { readonly kind: 'lives'; readonly nextDeadline: number | undefined }
  | { readonly kind: 'warn'; readonly secondsRemaining: number }
  | { readonly kind: 'expired'; readonly which: 'absolute' | 'detached_idle' };

export function judgeLifetime(rules: LifetimeRules, facts: LifetimeFacts, now: number): LifetimeVerdict {
  const ends = rules.absoluteMs === undefined ? undefined : facts.startedAt + rules.absoluteMs;
  const idles =
    rules.detachedIdleMs === undefined || facts.attached
      ? undefined
      : facts.lastActivityAt + rules.detachedIdleMs;
  if (ends !== undefined && now >= ends) return { kind: 'expired', which: 'absolute' };
  if (idles !== undefined && now >= idles) return { kind: 'expired', which: 'detached_idle' };
  const warns = ends === undefined || facts.warned ? undefined : ends - TTL_WARNING_MS;
  if (ends !== undefined && warns !== undefined && now >= warns) {
    return { kind: 'warn', secondsRemaining: Math.floor((ends - now) / 1000) };
  }
  const deadlines = [warns, ends, idles].filter((at) => at !== undefined);
  return { kind: 'lives', nextDeadline: deadlines.length > 0 ? Math.min(...deadlines) : undefined };
}
