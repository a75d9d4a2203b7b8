// OSC 7501, the Program Status Protocol: a program says what it is doing as `key=value` pairs joined by colons, for
// example `state=blocked:kind=permission:app=claude-code`. This file reads and validates one body. Always true: a report
// is accepted whole or refused whole with a reason; a bad id never falls back to the root record, because `clear` without
// an id removes every record. It keeps no records (`record.ts`) and answers no query (the scanner does).
import { decodeBody, hasControls } from './sequence.js';

export const PROGRAM_STATUS_CODE = 7501;

/** The protocol's limit on the whole sequence, `ESC ]` through the terminator. */
export const SEQUENCE_BYTES = 4_096;
/** What that leaves for the body, with the longer terminator `ESC \`: 4096 less `ESC ]7501;` and two bytes. */
export const BODY_BYTES = SEQUENCE_BYTES - 7 - 2;
/** Longest key, known or not. */
export const KEY_BYTES = 16;
/** `msg`, before and after base64. */
export const MSG_ENCODED_BYTES = 2_732;
export const MSG_BYTES = 2_048;
/** `title`, before and after base64. */
export const TITLE_ENCODED_BYTES = 256;
export const TITLE_BYTES = 192;
export const APP_BYTES = 32;
export const ID_BYTES = 128;
/** One name of an id, between slashes. */
export const ID_SEGMENT_BYTES = 32;
/** Names in an id. */
export const ID_DEPTH = 8;

export const REPORT_STATES = ['idle', 'working', 'done', 'blocked', 'error', 'clear'] as const;
export type ReportState = (typeof REPORT_STATES)[number];
export const REPORT_KINDS = ['permission', 'question', 'auth'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The id of the root record, the program itself. No valid id is empty, so nothing else has this key. */
export const ROOT_ID = '';

/** One validated report. An absent key means that the record has no such value now. */
export interface ProgramReport {
  readonly state: ReportState;
  /** ROOT_ID, or names joined by single slashes. */
  readonly id: string;
  /** Only with blocked; an unknown kind reads as absent. */
  readonly kind?: ReportKind;
  /** 0..100, only with working or blocked. */
  readonly progress?: number;
  readonly app?: string;
  /** Untrusted text without control characters. */
  readonly title?: string;
  /** Untrusted text without control characters. */
  readonly msg?: string;
}

export type ReportRefusal =
  | 'body_too_long'
  | 'key_too_long'
  | 'value_too_long'
  | 'state_missing'
  | 'state_unknown'
  | 'id_invalid'
  | 'text_not_base64'
  | 'text_not_utf8'
  | 'text_control_characters';

export type ProgramStatus =
  | { readonly type: 'query' }
  | { readonly type: 'report'; readonly report: ProgramReport }
  | { readonly type: 'refused'; readonly reason: ReportRefusal };

const NAME = /^[A-Za-z0-9_.+-]+$/;
const VALUE = /^[A-Za-z0-9_.+\-,/=]*$/;
const BLANKS = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g;

type Checked = { readonly refused: ReportRefusal } | { readonly value: string };

function checkId(value: string): ReportRefusal | undefined {
  if (value.length > ID_BYTES) return 'value_too_long';
  const names = value.split('/');
  if (names.length > ID_DEPTH || names.some((name) => name.length > ID_SEGMENT_BYTES))
    return 'value_too_long';
  return names.every((name) => NAME.test(name)) ? undefined : 'id_invalid';
}

/** Base64 text: standard alphabet, padding optional, at most `limit` decoded bytes. Empty text is absent. */
function checkText(encoded: string, encodedLimit: number, limit: number): Checked {
  if (encoded.length > encodedLimit) return { refused: 'value_too_long' };
  let bytes: string;
  try {
    bytes = atob(encoded);
  } catch {
    return { refused: 'text_not_base64' };
  }
  if (bytes.length > limit) return { refused: 'value_too_long' };
  const text = decodeBody(bytes);
  if (text === undefined) return { refused: 'text_not_utf8' };
  return hasControls(text) ? { refused: 'text_control_characters' } : { value: text };
}

/** Checks one pair. Every pair is checked, also one that a later duplicate replaces. */
function checkValue(key: string, value: string): Checked {
  switch (key) {
    case 'id': {
      const refused = checkId(value);
      return refused === undefined ? { value } : { refused };
    }
    case 'app':
      return value.length > APP_BYTES ? { refused: 'value_too_long' } : { value };
    case 'title':
      return checkText(value, TITLE_ENCODED_BYTES, TITLE_BYTES);
    case 'msg':
      return checkText(value, MSG_ENCODED_BYTES, MSG_BYTES);
    default:
      return { value };
  }
}

function parseProgress(value: string | undefined): number | undefined {
  if (value === undefined || !/^[0-9]+$/.test(value)) return undefined;
  const percent = Number(value);
  return percent <= 100 ? percent : undefined;
}

function buildReport(values: ReadonlyMap<string, string>): ProgramStatus {
  const spelled = values.get('state');
  if (spelled === undefined) return { type: 'refused', reason: 'state_missing' };
  const state = REPORT_STATES.find((known) => known === spelled);
  if (state === undefined) return { type: 'refused', reason: 'state_unknown' };
  const app = values.get('app');
  const progress = parseProgress(values.get('progress'));
  const kind = REPORT_KINDS.find((known) => known === values.get('kind'));
  const title = values.get('title');
  const msg = values.get('msg');
  const report: ProgramReport = {
    state,
    id: values.get('id') ?? ROOT_ID,
    ...(state === 'blocked' && kind !== undefined ? { kind } : {}),
    ...((state === 'working' || state === 'blocked') && progress !== undefined ? { progress } : {}),
    ...(app !== undefined && NAME.test(app) ? { app } : {}),
    ...(title ? { title } : {}),
    ...(msg ? { msg } : {}),
  };
  return { type: 'report', report };
}

/**
 * Reads a body, everything after `7501;`. Skipped pair by pair: no `=`, an unknown key, a value outside the protocol's
 * alphabet (except an id, which refuses the report). The last duplicate wins.
 */
export function parseProgramStatus(body: string): ProgramStatus {
  if (body.length > BODY_BYTES) return { type: 'refused', reason: 'body_too_long' };
  if (body === '?') return { type: 'query' };
  const values = new Map<string, string>();
  for (const pair of body.split(':')) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    const key = pair.slice(0, equals).replace(BLANKS, '');
    const value = pair.slice(equals + 1).replace(BLANKS, '');
    if (key.length > KEY_BYTES) return { type: 'refused', reason: 'key_too_long' };
    if (!VALUE.test(value)) {
      if (key === 'id') return { type: 'refused', reason: 'id_invalid' };
      continue;
    }
    const checked = checkValue(key, value);
    if ('refused' in checked) return { type: 'refused', reason: checked.refused };
    values.set(key, checked.value);
  }
  return buildReport(values);
}
