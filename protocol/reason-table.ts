// The closed list of reason codes, as in spec/reasons.md: one line of data per code. Always true: a code is never
// renamed and never removed, only appended; programs compare codes, people read the sentences. It decides nothing.

/**
 * What a code does to the request (or call) it is given for. `wait`: it goes on waiting; `hold`: it is kept and not
 * typed; `refuse`: it ends with nothing written or changed; `outcome`: how something ended; `error`: a fault of ours.
 */
export type ReasonEffect = 'wait' | 'hold' | 'refuse' | 'outcome' | 'error';

export interface ReasonEntry {
  /** HTTP status of the answer that this code ends, unless the message was retained (200) or is indeterminate (502). */
  readonly status: number;
  readonly effect: ReasonEffect;
  /** One sentence for people: what is the case. */
  readonly text: string;
  /** One sentence for people: what to do next. */
  readonly next: string;
}

const entry = (status: number, effect: ReasonEffect, text: string, next: string): ReasonEntry => ({
  status,
  effect,
  text,
  next,
});

export const REASON_TABLE = {
  // The occupant (floor.md rows 1 and 2).
  session_missing: entry(
    404,
    'refuse',
    'The seat has no session.',
    'Start one with `openfloor run` or `openfloor new`.',
  ),
  session_ended: entry(
    409,
    'refuse',
    'The session has ended.',
    'Restart it with `openfloor restart`, then send again.',
  ),
  occupant_changed: entry(
    409,
    'refuse',
    'The seat has another occupant or agent process than the one expected.',
    'Look at `openfloor status`, then send again without the old generation or tenure.',
  ),
  draining: entry(
    503,
    'refuse',
    'The runtime is shutting down and takes no new text.',
    'Send again when it is back.',
  ),
  runtime_switch_in_progress: entry(
    200,
    'hold',
    'The seat is being handed over to another occupant.',
    'Send again when the handover is over; the held message goes to nobody.',
  ),
  lifecycle_owed: entry(
    409,
    'wait',
    'A lifecycle step of the agent is not finished.',
    'Wait until the agent is idle again.',
  ),

  // The guard mode (row 3).
  typing_guard_enabled: entry(
    200,
    'hold',
    'The typing guard of the seat does not let this message ask.',
    'Send it as urgent if the mode allows that, or ask the operator to change the mode, then send again.',
  ),
  draft_aware_lifecycle: entry(
    409,
    'refuse',
    'The typing guard protects the agent that is running from lifecycle steps.',
    'Switch the guard off for the step, then ask again.',
  ),

  // The floor and the status (rows 4 to 9).
  granted: entry(200, 'outcome', 'The request has the floor.', 'Nothing: the text is being typed.'),
  floor_held: entry(409, 'wait', 'Another request has the floor.', 'Wait: it is free again within seconds.'),
  intent_pending: entry(409, 'wait', 'The intent to type is being written to the disk.', 'Wait a moment.'),
  target_needs_input: entry(
    409,
    'refuse',
    'The agent is blocked and waits for a person.',
    'Attach and look, or answer a permission dialog with `openfloor answer`.',
  ),
  starting: entry(
    409,
    'wait',
    'The agent has not given its first ready signal.',
    'Wait, or attach and look what it asks.',
  ),
  status_unknown: entry(
    409,
    'wait',
    'Nothing says whether the agent is idle.',
    'See `openfloor status --explain` for the channel that is missing.',
  ),
  interrupt_unsettled: entry(
    409,
    'wait',
    'The agent was interrupted and has not said what it does now.',
    'Wait for its next turn, or attach and look.',
  ),
  session_working: entry(
    409,
    'wait',
    'The agent is working.',
    'Wait with `--wait-for-idle`, or leave a row with `openfloor queue create`.',
  ),
  background_work: entry(
    409,
    'wait',
    'The agent is idle but has agents running in the background.',
    'Wait, send it as urgent, or set `grant_in_background` for the seat.',
  ),
  awaiting_turn: entry(
    409,
    'wait',
    'Text was written and no turn has followed it.',
    'Attach and submit or clear the text, or settle the seat with `openfloor seat settle`.',
  ),

  // People (rows 10 and 11).
  human_active: entry(
    409,
    'wait',
    'A person is typing.',
    'Wait: the request is judged again when the person pauses.',
  ),
  draft_input_busy: entry(
    409,
    'wait',
    'A draft of a person is or may be in the composer.',
    'Ask the operator to send or clear the draft.',
  ),

  // The reading (rows 12 and 13).
  draft_input_unknown: entry(
    409,
    'wait',
    'What is in the composer can not be told.',
    'See the cause; attach and look if it stays.',
  ),
  alt_screen_other: entry(
    409,
    'wait',
    'The agent shows another screen than its composer.',
    'Attach and close what is open.',
  ),
  menu_or_picker: entry(409, 'wait', 'A menu or picker is open.', 'Attach and choose or close it.'),
  command_mode: entry(409, 'wait', 'The composer is in a command mode.', 'Attach and leave the mode.'),
  cursor_outside: entry(409, 'wait', 'The cursor is not in the composer.', 'Attach and look.'),
  sync_update_open: entry(409, 'wait', 'The screen is half drawn.', 'Wait for the frame to end.'),
  bytes_pending: entry(409, 'wait', 'The screen model has not yet read all bytes.', 'Wait a moment.'),
  composer_unrecognised: entry(
    409,
    'wait',
    'No composer was recognised on the screen.',
    'See `openfloor status --explain`; the pack may not know this version.',
  ),
  composer_unread: entry(
    409,
    'wait',
    'No reader knows the composer of this agent.',
    'Choose a guard mode that does not read the composer, or give the pack a composer.',
  ),
  empty_once: entry(
    409,
    'wait',
    'The composer was seen empty only once.',
    'Wait a moment: it is looked at again.',
  ),

  // The foreground (row 14).
  bare_shell: entry(
    409,
    'wait',
    'Only a shell is in the foreground: the text would run as a command.',
    'Start the agent in the session.',
  ),
  foreground_other: entry(
    409,
    'wait',
    'Another program than the agent is in the foreground.',
    'Attach and leave that program.',
  ),
  facts_unavailable: entry(
    409,
    'wait',
    'The platform does not tell which program is in the foreground.',
    'See `openfloor doctor`.',
  ),
  canonical_mode: entry(
    409,
    'wait',
    'The terminal is in line mode or that can not be told.',
    'Wait until the agent reads keys itself.',
  ),
  termios_unread: entry(409, 'wait', 'The mode of the terminal has not been read yet.', 'Wait a moment.'),
  multiline_unframed: entry(
    409,
    'refuse',
    'The program takes no bracketed paste, so only one short line can be typed.',
    'Send one line of at most 1024 bytes.',
  ),

  // Ends of a wait.
  wait_for_idle_timeout: entry(
    409,
    'refuse',
    'No text was sent: the seat stayed busy until the wait ended.',
    'Wait longer, or leave a row with `openfloor queue create`.',
  ),
  target_activity_unknown: entry(
    409,
    'refuse',
    'No text was sent: the activity of the agent stayed unknown until the wait ended.',
    'See `openfloor status --explain`.',
  ),
  withdrawn: entry(200, 'outcome', 'The request was withdrawn before any byte was written.', 'Nothing.'),
  already_granted: entry(
    200,
    'outcome',
    'The request has the floor or has ended: it can not be withdrawn.',
    'Read its outcome.',
  ),
  superseded: entry(
    200,
    'outcome',
    'A newer request with the same key took its place.',
    'Nothing: follow the newer one.',
  ),
  draft_wake_superseded: entry(
    200,
    'outcome',
    'The row changed before its wake was typed.',
    'Nothing: the wake is not needed.',
  ),
  runtime_restarted: entry(
    503,
    'error',
    'The runtime restarted while the request waited or was being typed.',
    'Look at the screen, then send again if it is not there.',
  ),
  queue_full: entry(
    429,
    'refuse',
    'Too many requests wait for this seat.',
    'Withdraw some, or try again later.',
  ),
  idempotency_conflict: entry(
    409,
    'refuse',
    'The idempotency key was used for another body.',
    'Use a new key for a new message.',
  ),

  // The request's own faults.
  invalid_request: entry(
    400,
    'refuse',
    'The request is malformed.',
    'Compare it with the documentation and send it again.',
  ),
  body_empty: entry(400, 'refuse', 'The message is empty.', 'Give it a text.'),
  body_not_utf8: entry(400, 'refuse', 'The message is not valid UTF-8.', 'Encode it as UTF-8.'),
  body_too_large: entry(
    413,
    'refuse',
    'The message is larger than 1 MiB.',
    'Put it in a file and send its path.',
  ),
  body_control_characters: entry(
    400,
    'refuse',
    'The message has control characters other than newline and tab.',
    'Remove them; keys can not be sent as text.',
  ),
  command_prefix: entry(
    409,
    'refuse',
    'The message begins like a command of the agent.',
    'Begin it with a word, or send it with `--command` if you may.',
  ),
  command_forbidden: entry(
    403,
    'refuse',
    'The credential may not send commands.',
    'Ask an administrator for the scope `command`.',
  ),
  invalid_wait_for_idle: entry(
    400,
    'refuse',
    'The wait is not a number of milliseconds from 0 to 24 hours.',
    'Give a wait in that range.',
  ),
  missing_reason: entry(400, 'refuse', 'A reason is required.', 'Say why in `reason`.'),

  // The transaction.
  turn_started: entry(200, 'outcome', 'The text was submitted and the agent started a turn.', 'Nothing.'),
  unconfirmed: entry(
    200,
    'outcome',
    'Enter was sent and no start of a turn was seen in time.',
    'Look at the screen before sending again.',
  ),
  staged_unseen: entry(
    502,
    'outcome',
    'The text was written but did not appear in the composer, so Enter was not sent.',
    'Attach and look; a dialog may be open.',
  ),
  floor_revoked_by_human: entry(
    502,
    'outcome',
    'A person touched the keyboard, so automation stopped.',
    'Attach and look what is in the composer.',
  ),
  draft_input_changed: entry(
    502,
    'outcome',
    'The composer does not hold exactly the text that was written, so Enter was not sent.',
    'Attach and look what is in the composer.',
  ),
  tenure_ended: entry(
    502,
    'outcome',
    'The agent process ended while the text was being typed.',
    'Look at the session, then send again if needed.',
  ),
  paste_stalled: entry(
    502,
    'outcome',
    'The program stopped reading while the text was being written.',
    'Attach and look whether it hangs.',
  ),
  write_failed: entry(
    502,
    'error',
    'The terminal did not take the bytes.',
    'Attach and look; the session may have ended.',
  ),
  audit_unavailable: entry(
    503,
    'error',
    'The audit record could not be written, so nothing was typed.',
    'Look at the disk and the log of the runtime.',
  ),
  unsubmitted_text: entry(
    200,
    'outcome',
    'Text may stand unsubmitted in the composer.',
    'Attach and submit or clear it, or settle the seat.',
  ),
  settled: entry(200, 'outcome', 'An operator declared the composer settled.', 'Nothing.'),

  // Held messages and the guard's settings.
  retained: entry(
    200,
    'outcome',
    'The message is kept for reading and was not typed.',
    'Send it again when the seat is free; it is not sent by itself.',
  ),
  retention_full: entry(
    409,
    'refuse',
    'The seat keeps no more held messages.',
    'Retire some with `openfloor seat retire-held-message`.',
  ),
  held_message_missing: entry(
    404,
    'refuse',
    'The seat has no such held message.',
    'List them with `openfloor seat held-messages`.',
  ),
  guard_setting_invalid: entry(
    400,
    'refuse',
    'Give exactly one of `mode` and `enabled`, with a known mode.',
    'Use off, draft-aware, openrig-urgent, urgent-only, sends-only or hold.',
  ),
  guard_pending: entry(
    202,
    'outcome',
    'The new mode holds new requests now and takes full effect when the floor is free.',
    'Read the status again.',
  ),

  // Answers to dialogs.
  answer_forbidden: entry(
    403,
    'refuse',
    'The credential may not answer dialogs of this seat.',
    'Ask an operator to answer.',
  ),
  not_a_permission: entry(
    409,
    'refuse',
    'The dialog is not a permission dialog.',
    'Attach and answer it yourself.',
  ),
  dialog_changed: entry(
    409,
    'refuse',
    'The dialog that was meant is no longer the one on the screen.',
    'Read the status and answer the present dialog.',
  ),
  dialog_truncated: entry(
    409,
    'refuse',
    'The dialog does not show the whole command.',
    'Attach and look at all of it.',
  ),
  choice_unavailable: entry(
    409,
    'refuse',
    'The dialog has no option of exactly this kind.',
    'Attach and answer it yourself.',
  ),
  dialog_answered: entry(200, 'outcome', 'The answer was typed and the dialog is gone.', 'Nothing.'),
  dialog_still_open: entry(
    502,
    'outcome',
    'The answer was typed and the dialog is still there.',
    'Attach and look.',
  ),

  // Override.
  override_forbidden: entry(
    403,
    'refuse',
    'The credential may not override the status of this seat.',
    'Ask an operator.',
  ),
  override_input_present: entry(
    409,
    'refuse',
    'The composer has text.',
    'Look at `existingInput`; clear it, or say `--type-without-checking`.',
  ),
  override_input_unknown: entry(
    409,
    'refuse',
    'What is in the composer can not be told.',
    'Attach and look, or say `--type-without-checking`.',
  ),
  prompt_override_audit_unavailable: entry(
    500,
    'error',
    'The audit record of the override could not be written, so nothing was typed.',
    'Look at the disk and the log of the runtime.',
  ),
  invalid_dangerously_interact: entry(400, 'refuse', 'An override can not wait.', 'Leave the wait out.'),
  dangerously_interact_requires_reason: entry(
    400,
    'refuse',
    'An override needs a reason.',
    'Say why with `--reason`.',
  ),
  prompt_unverified: entry(
    200,
    'outcome',
    'The answer was typed into a dialog and Enter was not sent, since the whole answer was not seen.',
    'Attach and look what the dialog did.',
  ),

  // Seats, handover, policy.
  seat_not_found: entry(404, 'refuse', 'There is no such seat.', 'List the seats with `openfloor ls`.'),
  seat_ref_required: entry(400, 'refuse', 'A seat is required.', 'Name it as `name` or `name@rig`.'),
  seat_exists: entry(409, 'refuse', 'The seat exists.', 'Choose another name, or attach to it.'),
  handover_in_progress: entry(
    409,
    'refuse',
    'Another handover of this seat is under way.',
    'Wait for it, or settle it with `openfloor seat recover`.',
  ),
  handover_halted: entry(
    409,
    'refuse',
    'A handover of this seat has halted half way.',
    'Settle it with `openfloor seat recover`.',
  ),
  handover_not_halted: entry(409, 'refuse', 'No handover of this seat has halted.', 'Nothing to recover.'),
  creation_mode_unsupported: entry(
    501,
    'refuse',
    'The agent pack has no such way to create a candidate.',
    'Choose another mode.',
  ),
  conversation_unknown: entry(
    409,
    'refuse',
    'No conversation of this occupant is known.',
    'Name it with `--conversation ID`, or choose fresh.',
  ),
  artifact_unreadable: entry(
    400,
    'refuse',
    'A file that should be handed on can not be used.',
    'Name small text files that the server can read.',
  ),
  candidate_missing: entry(
    404,
    'refuse',
    'There is no such candidate.',
    'List them with `openfloor seat candidate list`.',
  ),
  candidate_failed: entry(
    502,
    'error',
    'The candidate could not be created or did not become ready.',
    'Look at the lineage; the old occupant goes on.',
  ),
  detach_failed: entry(
    502,
    'error',
    'The old occupant could not be detached.',
    'Look at its processes, then use `openfloor seat recover`.',
  ),
  provenance_failed: entry(
    500,
    'error',
    'The record of the handover could not be written.',
    'Look at the disk, then use `openfloor seat recover`.',
  ),
  disposition_unavailable: entry(
    409,
    'refuse',
    'The old occupant can not be kept as asked.',
    'Leave `--strict-disposition` out, or choose retire.',
  ),
  restore_unconfirmed: entry(
    502,
    'outcome',
    'The restore packet was not confirmed by a turn.',
    'Look at the candidate; the binding has not begun.',
  ),
  generation_mismatch: entry(
    409,
    'refuse',
    'The report belongs to another occupant of the seat.',
    'Nothing: it counts for nobody.',
  ),
  policy_denied: entry(
    403,
    'refuse',
    'The interaction policy of the seat does not allow this.',
    'Ask the operator of the seat.',
  ),
  lifecycle_verb_unsupported: entry(
    501,
    'refuse',
    'The agent pack has no such verb.',
    'Type it yourself, or add it to the pack.',
  ),

  // Hooks.
  activity_hook_unauthorized: entry(
    401,
    'refuse',
    'The hook needs the token of the occupant.',
    'Use OPENFLOOR_TOKEN of the session.',
  ),
  missing_session_identity: entry(400, 'refuse', 'The hook names no session.', 'Give the seat.'),
  invalid_json: entry(400, 'refuse', 'The body is not valid JSON.', 'Correct it and send it again.'),

  // The operator's stream.
  input_backpressure: entry(
    200,
    'outcome',
    'The program does not read its input; what was typed is kept and in order.',
    'Wait, or restart the program.',
  ),

  // Shepherd: rows and wakes.
  qitem_not_found: entry(
    404,
    'refuse',
    'There is no such row.',
    'List the rows with `openfloor queue list`.',
  ),
  qitem_id_reuse: entry(
    409,
    'refuse',
    'A row with this id exists between other parties.',
    'Choose another id.',
  ),
  qitem_not_claimable: entry(
    409,
    'refuse',
    'The row can not be claimed in its state.',
    'Look at it with `openfloor queue show`.',
  ),
  qitem_not_in_progress: entry(409, 'refuse', 'The row is not in progress.', 'Claim it first.'),
  qitem_already_terminal: entry(409, 'refuse', 'The row is closed.', 'Create a new one.'),
  claim_destination_mismatch: entry(
    403,
    'refuse',
    'Only the destination of a row may do this.',
    'Ask the seat it is addressed to.',
  ),
  invalid_closure: entry(
    400,
    'refuse',
    'A row is done only with a closure reason: handed_off_to, blocked_on, denied, canceled, no-follow-on, escalation or superseded; the first two and escalation with a target.',
    'Give one of them.',
  ),
  invalid_state: entry(
    400,
    'refuse',
    'There is no such state or no such transition.',
    'Look at the row and the list of states.',
  ),
  runtime_unavailable: entry(
    503,
    'error',
    'Shepherd does not reach the runtime.',
    'Look whether the runtime is up.',
  ),
  shepherd_unavailable: entry(
    503,
    'error',
    'Shepherd is not up: queue and routines wait, people and sends do not.',
    'Try again in a moment; the audit feed says if it keeps ending.',
  ),
  withdraw_unknown: entry(
    503,
    'error',
    'The runtime did not say in time whether the wake was withdrawn.',
    'Look at the seat: the wake may be typed.',
  ),
  rate_capped: entry(
    429,
    'refuse',
    'These two agents have sent each other too many messages.',
    'Wait ten minutes, or ask the operator.',
  ),

  // Shepherd: routines.
  policy_unknown: entry(
    400,
    'refuse',
    'There is no such policy of a routine.',
    'See `openfloor routine add --help`.',
  ),
  interval_invalid: entry(
    400,
    'refuse',
    'The schedule is not valid.',
    'Give an interval in seconds, a cron line or a time.',
  ),
  target_session_invalid: entry(
    400,
    'refuse',
    'The target is no seat address.',
    'Name it as `name` or `name@rig`.',
  ),
  job_not_found: entry(
    404,
    'refuse',
    'There is no such routine.',
    'List them with `openfloor routine list`.',
  ),
  job_terminal: entry(409, 'refuse', 'The routine has ended.', 'Register a new one.'),
  not_due: entry(200, 'outcome', 'The routine is not due.', 'Nothing.'),
  nothing_actionable: entry(200, 'outcome', 'There is nothing to remind of.', 'Nothing.'),
  seat_working: entry(200, 'outcome', 'The seat is working, so it is not reminded.', 'Nothing.'),
  seat_needs_input: entry(
    200,
    'outcome',
    'The seat waits for a person, so it is not reminded.',
    'Answer it.',
  ),
  activity_unknown: entry(
    200,
    'outcome',
    'The activity of the seat is unknown, so it is not reminded.',
    'See `openfloor status --explain`.',
  ),
  active_wake_not_due: entry(
    200,
    'outcome',
    'A wake of the same kind was sent a short while ago.',
    'Nothing.',
  ),
  healthy: entry(200, 'outcome', 'Nothing is overdue.', 'Nothing.'),

  // Frames, store, configuration.
  frame_malformed: entry(
    400,
    'refuse',
    'The frame is not one complete, well-formed value with text keys.',
    'Compare it with the documentation; update the client.',
  ),
  frame_too_large: entry(
    413,
    'refuse',
    'The frame is larger than this plane takes.',
    'Split it, or put the text in a file and send its path.',
  ),
  frame_too_deep: entry(
    400,
    'refuse',
    'The frame nests maps and arrays deeper than this plane takes.',
    'Compare it with the documentation; update the client.',
  ),
  frame_not_a_map: entry(
    400,
    'refuse',
    'The frame is not a map.',
    'Compare it with the documentation; update the client.',
  ),
  store_unavailable: entry(
    503,
    'error',
    'The database could not be opened or read.',
    'Look at the disk and the log of the runtime.',
  ),
  unknown_record: entry(
    404,
    'refuse',
    'There is no such record, or its state is final.',
    'List the records of the seat.',
  ),
  credential_capacity: entry(
    503,
    'refuse',
    'There are as many live credentials as the runtime keeps.',
    'Revoke some with `openfloor token revoke`, or mint them with a time to live.',
  ),
  config_invalid: entry(
    400,
    'refuse',
    'The configuration is not valid.',
    'Correct the line that the message names, then start again.',
  ),
  unknown_host: entry(
    403,
    'refuse',
    'The Host header names no known name of this server.',
    'Add the name to [server] hosts, or use the address.',
  ),
  foreign_origin: entry(
    403,
    'refuse',
    'A web page of another origin may not use the server.',
    'Add the origin to [server] origins.',
  ),
  credential_missing: entry(
    401,
    'refuse',
    'No valid credential was presented.',
    'Send one as `Authorization: Bearer`.',
  ),
  credential_kind: entry(
    403,
    'refuse',
    'A credential of this kind may not do this.',
    'Use a credential of the kind that the message names.',
  ),
  ticket_invalid: entry(
    401,
    'refuse',
    'The ticket was used or is too old.',
    'Ask for a new one with `openfloor login`.',
  ),
  unknown_credential: entry(
    404,
    'refuse',
    'There is no such credential.',
    'List them with `openfloor token list`.',
  ),
  invalid_name: entry(
    400,
    'refuse',
    'The name is none.',
    'Use 1 to 32 lower-case letters, digits and hyphens, with `@rig` after it if need be.',
  ),
  session_exists: entry(
    409,
    'refuse',
    'A session of this name exists.',
    'Attach to it, or choose another name.',
  ),
  session_dead: entry(409, 'refuse', 'The session is being torn down.', 'Restart it.'),
  capacity: entry(
    503,
    'refuse',
    'There are as many sessions as the configuration allows.',
    'Kill a session, or raise max_sessions.',
  ),
  command_not_found: entry(
    400,
    'refuse',
    'The command was not found.',
    'Check it, and the PATH that goes along.',
  ),
  cwd_missing: entry(400, 'refuse', 'The folder is none that can be entered.', 'Check the folder.'),
  spawn_failed: entry(500, 'error', 'The process could not be started.', 'Look at the log of the runtime.'),
  client_command_refused: entry(
    403,
    'refuse',
    'This server starts its own command only.',
    'Leave out command and cwd, or set [server] allow_client_command.',
  ),
  invalid_command: entry(
    400,
    'refuse',
    "The command can't be run as it is written.",
    'Name a program, without NUL characters.',
  ),
  invalid_cwd: entry(400, 'refuse', 'The folder is not an absolute path.', 'Begin it with a slash.'),
  env_not_allowed: entry(
    400,
    'refuse',
    'An environment variable may not be set by a client.',
    'Leave it out, or allow it in the configuration.',
  ),
  unknown_pack: entry(
    400,
    'refuse',
    'There is no pack of this name.',
    'List them with `openfloor agents list`.',
  ),
  seat_required: entry(400, 'refuse', 'No seat is named.', 'Name one.'),
  request_not_found: entry(
    404,
    'refuse',
    'No request waits under this key.',
    'Look in the outbox for its outcome.',
  ),
  invalid_body: entry(
    422,
    'refuse',
    'The body has another shape than this route takes.',
    'Send what /openapi.json describes.',
  ),
  not_json: entry(
    415,
    'refuse',
    'The body is not declared as JSON.',
    'Set the content type to application/json.',
  ),
  bad_request: entry(400, 'refuse', 'The request is malformed.', 'Compare it with /openapi.json.'),
  invalid_query: entry(
    400,
    'refuse',
    "The query string can't be read.",
    'Send each key once, numbers as unsigned digits.',
  ),
  internal: entry(500, 'error', 'The runtime met a fault of its own.', 'Look at its log.'),
  confirmed_late: entry(200, 'outcome', 'A turn began after the receipt was given.', 'Nothing.'),
  mode_not_allowed: entry(
    403,
    'refuse',
    'The token does not allow this mode.',
    'Ask for a token of that mode.',
  ),
  viewer_input: entry(
    403,
    'refuse',
    'A viewer typed; its input was dropped.',
    'Attach with a token that may type.',
  ),
} as const satisfies Record<string, ReasonEntry>;

/** Codes of `reference/seat-delivery.md` that ours replace. Understood where they are read, never written. */
export const REASON_ALIASES = {
  mid_work: 'session_working',
  needs_input: 'target_needs_input',
  guard_target_changed: 'occupant_changed',
  target_runtime_conflict: 'occupant_changed',
  target_runtime_not_running: 'bare_shell',
  target_runtime_unverified: 'foreground_other',
  staged_mismatch: 'draft_input_changed',
  send_failed: 'write_failed',
  submit_failed: 'write_failed',
  delivery_identity_conflict: 'idempotency_conflict',
  transport_unavailable: 'runtime_unavailable',
  tmux_unavailable: 'runtime_unavailable',
  session_not_found: 'seat_not_found',
  source_not_supported: 'creation_mode_unsupported',
  successor_creation_not_implemented: 'creation_mode_unsupported',
  successor_create_failed: 'candidate_failed',
  discovered_not_found: 'candidate_missing',
  handover_commit_failed: 'provenance_failed',
  context_delivery_failed: 'restore_unconfirmed',
  current_occupant_required: 'session_missing',
  workflow_healthy_deadline_gated: 'healthy',
} as const satisfies Record<string, keyof typeof REASON_TABLE>;
