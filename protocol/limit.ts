// Every limit of the wire, each with its unit and its reason. Malformed or oversize input is refused whole: nothing is
// cut to fit. Listed in spec/limits.md, tested in both directions.

/** Binary input frame. A larger one closes 1008 at once (attach contract 1.7). */
export const INPUT_FRAME_BYTES = 65_536;
/** Text control frame. A larger one closes 1008 at once. */
export const CONTROL_FRAME_BYTES = 4_096;
/** What the WebSocket layer reads at most; beyond it the socket closes 1009. */
export const MESSAGE_BYTES = 131_072;
/** Output frame, so that a slow client is never committed to a large one. */
export const OUTPUT_FRAME_BYTES = 16_384;
/** Malformed control frames on one connection: this one closes 1008. */
export const MALFORMED_FRAMES = 3;
/** Admin request body of the attach contract's routes. */
export const ADMIN_BODY_BYTES = 4_096;
/** Request body of the floor plane's routes: a message of 1 MiB, escaped in the worst case as JSON, and its fields. */
export const API_BODY_BYTES = 6 * 1_048_576 + 65_536;
/** One message for automation to type, UTF-8. */
export const MESSAGE_BODY_BYTES = 1_048_576;
/** Attach token as presented. */
export const ATTACH_TOKEN_BYTES = 512;
/** Admin credential as presented. */
export const CREDENTIAL_BYTES = 1_024;
/** Rows and columns as asked for by a client or an administrator. */
export const SIZE_MIN = 1;
export const SIZE_MAX = 1_000;
/** Shared sessions never shrink below this: shells and agents break at a few columns. */
export const SHARED_ROWS_MIN = 5;
export const SHARED_COLS_MIN = 20;
/** Default size of a session (attach contract 1.3). */
export const DEFAULT_ROWS = 24;
export const DEFAULT_COLS = 80;
/** Takeovers per session and generation in one window; the first attach of a generation is free. */
export const TAKEOVERS = 3;
export const TAKEOVER_WINDOW_MS = 60_000;
/** Ping interval and how many may be missed: a half-open client is gone after 80 s. */
export const PING_INTERVAL_MS = 20_000;
export const MISSED_PINGS = 3;
/** Output that a client hasn't taken for this long detaches it with 4005. */
export const BACKLOG_AGE_MS = 10_000;
/** What may wait in one client's socket before output stays in the ring instead. */
export const SOCKET_HIGH_WATER_BYTES = 1_048_576;
/** Operator input that the child hasn't taken: beyond it the connection closes 4007. */
export const INPUT_QUEUE_BYTES = 4 * 1_048_576;
/** Operator input waiting beyond this is told to clients as `input_backpressure`. */
export const INPUT_BACKPRESSURE_BYTES = 65_536;
/** Warning before the absolute time to live ends. */
export const TTL_WARNING_MS = 30_000;
/** Grace between the announcement of a shutdown and the end of the sessions. */
export const DRAIN_GRACE_MS = 3_000;
/** An unfinished escape sequence is held back from clients at most this long. */
export const HELD_SEQUENCE_MS = 4;
/** A reply that needs the screen model holds back later replies at most this long. */
export const CURSOR_REPLY_MS = 100;
/** An operator's unfinished paste frame keeps other sources out at most this long. */
export const OPEN_PASTE_MS = 2_000;
/** Unparsed output of one session's screen model; beyond it the PTY is paused. */
export const SCREEN_BACKLOG_BYTES = 8 * 1_048_576;
/** Dead sessions whose name can still be restarted. */
export const TOMBSTONES = 32;
/** One-time login ticket. */
export const TICKET_MS = 30_000;
/** A client that composes (IME, dictation) and doesn't renew it counts as composing at most this long. */
export const COMPOSING_MS = 60_000;
/** Failed upgrades of one source in one window start a ban for failures. */
export const UPGRADE_FAILURES = 5;
export const UPGRADE_WINDOW_MS = 60_000;
export const UPGRADE_BAN_MS = 60_000;
export const UPGRADE_SOURCES = 4_096;
/** Failed admin credentials: the block doubles from the first to the second figure. */
export const ADMIN_BLOCK_FIRST_MS = 100;
export const ADMIN_BLOCK_MAX_MS = 5_000;
export const ADMIN_FORGET_MS = 60_000;
export const ADMIN_SOURCES = 256;
/** One frame of the floor and audit planes: a message of 1 MiB and its fields. */
export const FRAME_BYTES = 1_048_576 + 65_536;
/** Maps and arrays inside each other in one frame: no message of ours needs 8. */
export const FRAME_DEPTH = 16;
/** Values and keys in one frame: a watch of every seat of a large installation fits. */
export const FRAME_NODES = 65_536;
/** What may wait in a floor or audit socket: a reader that is further behind is closed 4005 and resumes from its cursor. */
export const PLANE_BACKLOG_BYTES = 4_194_304;
/** Suggested rules of one permission request: entries, rules an entry, and UTF-16 units of names and contents. */
export const PERMISSION_ENTRIES = 8;
export const PERMISSION_RULES = 16;
export const PERMISSION_TOOL_UNITS = 128;
export const PERMISSION_CONTENT_UNITS = 2_048;
/** All suggested rules of a request as JSON in UTF-8. */
export const PERMISSION_EVIDENCE_BYTES = 16_384;
/** Longest id of a subagent that a hook may name. */
export const PERMISSION_AGENT_ID_UNITS = 128;
/** An observed permission request is shown at most this long. */
export const PERMISSION_SHOWN_MS = 300_000;
/** One hook event on its way to the runtime: 16 KiB of rules as JSON with every character escaped, and its own fields. */
export const HOOK_BODY_BYTES = 131_072;
/** What an agent gives its hook on standard input, whole files that a tool writes included; more is not read. */
export const HOOK_INPUT_BYTES = 16 * 1_048_576;
/** Named helpers of an interaction policy, and characters of its instruction. */
export const POLICY_HELPERS = 32;
export const INSTRUCTION_CHARACTERS = 2_000;
