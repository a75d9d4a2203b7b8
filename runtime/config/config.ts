// The configuration as the rest of the program sees it: typed, complete, in milliseconds and bytes. Always true: a value
// of this type has been checked; nobody checks it again. It holds no secret, only paths to secrets and verifiers.

/** `up` and `run`: a person's own machine. `serve`: the runtime alone, by the attach contract's rules. */
export type Profile = 'up' | 'run' | 'serve';

/** Time to live in milliseconds; null is never. */
export type TtlMs = number | null;

export interface Listen {
  /** Without brackets. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

export interface Config {
  readonly profile: Profile;
  /** The file that was read, or null when there is none. */
  readonly file: string | null;
  readonly pty: {
    /** Under `serve`, false refuses to serve. */
    readonly enabled: boolean;
    readonly listen: Listen;
    readonly tlsTerminatedUpstream: boolean;
    /** Absolute path of what a session runs when nobody says otherwise. */
    readonly command: string;
    readonly maxSessions: number;
    readonly absoluteSessionTtlMs: TtlMs;
    readonly attachTokenTtlMs: TtlMs;
    readonly detachedIdleTtlMs: TtlMs;
    /** Size of a session's ring; 0 keeps nothing. */
    readonly scrollbackBytes: number;
    readonly scrollbackReplay: boolean;
    readonly filterTerminalResponses: boolean;
    /** `sha256:` and 64 hex characters; null under `up` and `run`, where the store keeps the verifier. */
    readonly adminCredentialHash: string | null;
    readonly killDomainTier: 'tier1';
    readonly seedDir: string | null;
    /** Which variables a child inherits: all of its caller's, or these names (a trailing * matches any rest). */
    readonly env: 'caller' | readonly string[];
  };
  readonly server: {
    readonly origins: readonly string[];
    readonly hosts: readonly string[];
    /** Whether a client may say what a session runs. */
    readonly allowClientCommand: boolean;
  };
  readonly floor: {
    readonly humanQuietMs: number;
    readonly confirmMs: number;
    readonly auditMessage: 'full' | 'hash';
    readonly auditSync: 'normal' | 'full';
  };
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly shepherd: {
    readonly enabled: boolean;
    readonly listen: Listen;
    readonly credentialFile: string | null;
  };
  readonly alerts: {
    readonly webhook: string | null;
    /** A file whose first line is the address, for an address that is a secret itself. */
    readonly webhookFile: string | null;
  };
}

export interface AgentConfig {
  readonly pack: string | null;
  readonly command: readonly string[] | null;
}

/** Where a fault of the configuration is, in one sentence, with what to do. */
export class ConfigError extends Error {
  readonly reason = 'config_invalid';
  constructor(
    message: string,
    readonly next: string,
    /** File, or the name of an environment variable. */
    readonly source: string,
    /** Line in the file, counted from 1; null when there is none. */
    readonly line: number | null,
  ) {
    super(message);
    this.name = 'ConfigError';
  }
}
