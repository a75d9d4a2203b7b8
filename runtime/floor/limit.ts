// Limits and times of the floor, each with its unit and its reason. Settings of a seat or a pack override the times that
// are called defaults; the bounds are fixed.

/** Waiting requests of one seat, and the bytes of their bodies. Beyond either: `queue_full`, the newcomer is refused. */
export const QUEUE_REQUESTS = 1_000;
export const QUEUE_BYTES = 16 * 1_048_576;
/** Answers and overrides that may wait for a reading at once: each is judged by itself, so they are few. */
export const QUEUE_SINGLES = 16;
/** Longest wait of a request. */
export const WAIT_MAX_MS = 24 * 3_600_000;
/** How many reasons for a wait are remembered: a seat that alternates for hours needs no more to be understood. */
export const PAST_VERDICTS = 16;
/** How long the result of an idempotency key is remembered, and how many; the oldest result goes first. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
export const IDEMPOTENCY_RESULTS = 4_096;
/** Longest key and label of a request, in characters. */
export const KEY_CHARACTERS = 200;
/** Without bracketed paste a line of at most this size is typed: what a canonical macOS terminal takes. */
export const UNFRAMED_BYTES = 1_024;
/** A waiting request is judged again at least this often: a lost edge costs a second at most. */
export const REJUDGE_MS = 1_000;
/** A wait that has ended is given this much longer when all it lacks is something that is under way. */
export const GRACE_MS = 300;
/** `human_quiet_ms`: how long after a key a person still counts as typing. */
export const HUMAN_QUIET_MS = 3_000;
export const HUMAN_QUIET_MAX_MS = 600_000;
/** `confirm_ms`: how long after Enter the start of a turn is waited for. */
export const CONFIRM_MS = 5_000;
/** A recognised empty composer that must be seen twice is seen again after this time. */
export const EMPTY_AGAIN_MS = 250;
/** A reading of the terminal's line mode is good for this long. */
export const TERMIOS_MS = 1_000;
/** Unsubmitted text raises its alert after this time. */
export const UNSUBMITTED_MS = 60_000;
/** A paste of which the program reads nothing for this long is given up. */
export const PASTE_STALL_MS = 5_000;
/** After a failed audit append nothing is granted for this long, so that one fault doesn't burn the whole queue. */
export const AUDIT_RETRY_MS = 1_000;
/** Settle defaults, measured on six CLIs: 300 ms after the paste Enter submits everywhere, 1000 ms above 1 KB. */
export const SETTLE_MIN_MS = 300;
export const SETTLE_LARGE_MIN_MS = 1_000;
/** Without a paste frame an agent may take fast characters for a paste and Enter for its newline, 120 ms long (Codex). */
export const UNFRAMED_MIN_MS = 150;
export const SETTLE_LARGE_BYTES = 1_024;
export const SETTLE_QUIET_MS = 100;
export const SETTLE_MAX_MS = 5_000;
/** How many normalised characters of the text's end must be seen. */
export const TAIL_CHARACTERS = 16;
/** Rows above and below the cursor in which the text must be seen. */
export const ROWS_ABOVE = 6;
export const ROWS_BELOW = 2;
