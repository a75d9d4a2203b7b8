// Whether a pack file is one: its schema, and what no schema can say. Always true: a problem has a line and one sentence;
// the first one is told, because the rest often follow from it. It reads no files.
import { Compile } from 'typebox/compile';
import { escapeText } from '../status/sequence.js';
import { isVersionRange } from '../status/version.js';
import { JsonProblem, type JsonText, readJson } from './position.js';
import { PACK_SCHEMA, type PackFile } from './schema.js';

/** Largest pack file, so that a wrong path isn't read into memory. */
export const PACK_BYTES = 262_144;

export interface PackProblem {
  /** From 1. */
  readonly line: number;
  /** One sentence. */
  readonly text: string;
}

export type Checked = { readonly pack: PackFile } | { readonly problem: PackProblem };

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

const validator = Compile(PACK_SCHEMA);

function namesOf(value: unknown): string {
  return Array.isArray(value) ? value.map((name) => `"${escapeText(String(name))}"`).join(', ') : '';
}

function fieldOf(pointer: string): string {
  return pointer === '' ? 'the pack' : `"${pointer.slice(1).replace(/\//g, '.')}"`;
}

function schemaProblem(json: JsonText, errors: readonly SchemaError[]): PackProblem {
  const error = errors.find((candidate) => candidate.keyword !== 'boolean') ?? errors[0];
  if (error === undefined) return { line: 1, text: 'The pack does not match its schema.' };
  const { keyword, instancePath, params, message } = error;
  const field = fieldOf(instancePath);
  switch (keyword) {
    case 'additionalProperties': {
      const [first] = params.additionalProperties as readonly string[];
      return {
        line: json.lineOf(`${instancePath}/${first}`),
        text: `${field} has an unknown field ${namesOf([first])}.`,
      };
    }
    case 'required':
      return {
        line: json.lineOf(instancePath),
        text: `${field} lacks ${namesOf(params.requiredProperties)}.`,
      };
    case 'enum':
      return {
        line: json.lineOf(instancePath),
        text: `${field} must be one of ${namesOf(params.allowedValues)}.`,
      };
    default:
      return { line: json.lineOf(instancePath), text: `${field} ${message}.` };
  }
}

type Report = (pointer: string, text: string) => void;

/** The fields of a rule that fit what it is on. */
const FITTING = {
  title: ['text'],
  progress: ['states'],
  notify: ['text', 'heading'],
  prompt: ['marks'],
} as const;

function checkRules(pack: PackFile, report: Report): void {
  const ids = new Set<string>();
  for (const list of ['rules', 'hooks'] as const) {
    pack[list].forEach((rule, index) => {
      const at = `/${list}/${index}`;
      if (ids.has(rule.id)) report(`${at}/id`, `The id "${rule.id}" stands twice.`);
      ids.add(rule.id);
      if (rule.kind !== undefined && rule.means !== 'blocked')
        report(`${at}/kind`, `Rule "${rule.id}" has a kind and does not mean blocked.`);
      if (rule.stale_ms !== undefined && (rule.means === 'unknown' || rule.means === 'turn'))
        report(`${at}/stale_ms`, `Rule "${rule.id}" means ${rule.means}, which can't be stale.`);
    });
  }
  pack.rules.forEach((rule, index) => {
    for (const field of ['text', 'heading', 'states', 'marks'] as const) {
      if (rule[field] !== undefined && !(FITTING[rule.on] as readonly string[]).includes(field))
        report(`/rules/${index}/${field}`, `Rule "${rule.id}" is on ${rule.on} and can't have "${field}".`);
    }
    if (rule.on === 'progress' && rule.states === undefined)
      report(`/rules/${index}`, `Rule "${rule.id}" is on progress and lacks "states".`);
    if (rule.on === 'prompt' && rule.marks === undefined)
      report(`/rules/${index}`, `Rule "${rule.id}" is on prompt and lacks "marks".`);
  });
}

/** Every place that has a `versions`, a `first_between` or a `pattern`. */
function checkTexts(value: unknown, pointer: string, report: Report): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      checkTexts(item, `${pointer}/${index}`, report);
    });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = `${pointer}/${key}`;
    if (key === 'versions' && typeof inner === 'string' && !isVersionRange(inner))
      report(at, `"${escapeText(inner)}" is no version range; write for example ">=2.1.228 <3" or "*".`);
    else if (key === 'first_between' && Array.isArray(inner)) {
      const [from = '', to = ''] = inner.map(String);
      if (
        [...from].length !== 1 ||
        [...to].length !== 1 ||
        (from.codePointAt(0) ?? 0) > (to.codePointAt(0) ?? 0)
      )
        report(at, '"first_between" needs two single characters in order.');
    } else if (key === 'pattern' && typeof inner === 'string') {
      try {
        if (!/\((?!\?)/.test(inner)) report(at, '"pattern" needs one group that captures the number.');
        new RegExp(inner, 'u');
      } catch {
        report(at, `"${escapeText(inner)}" is no regular expression.`);
      }
    } else checkTexts(inner, at, report);
  }
}

function isInside(path: string): boolean {
  return (
    !path.startsWith('/') && !path.split('/').some((part) => part === '..' || part === '.' || part === '')
  );
}

function checkRest(pack: PackFile, report: Report): void {
  const { names, scripts = [], version_after = [], any } = pack.process;
  if (names.length + scripts.length + version_after.length === 0 && any !== true)
    report('/process', 'The pack recognises no process: give "names", "scripts" or "any".');
  for (const variable of Object.keys(pack.launch.env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable))
      report(`/launch/env/${variable}`, `"${escapeText(variable)}" is no name of an environment variable.`);
  }
  pack.launch.files.forEach(({ to, from }, index) => {
    if (!isInside(to))
      report(`/launch/files/${index}/to`, 'A launch file must stay inside its private folder.');
    if (!isInside(from))
      report(`/launch/files/${index}/from`, 'A launch file must come from the folder of the pack.');
  });
  if (pack.composer?.hint.style === 'foreground' && pack.composer.hint.colors === undefined)
    report('/composer/hint', 'A hint by foreground needs "colors".');
  const box = pack.composer?.box;
  if (box && box.below === undefined && box.filled !== true)
    report('/composer/box', 'A box needs "below" with "above" or "left", or "filled".');
  if (box?.below !== undefined && (box.above === undefined) === (box.left === undefined))
    report('/composer/box', 'A box with "below" needs either "above" or "left".');
  const { quiet_ms, min_ms, max_ms } = pack.settle;
  if (quiet_ms > max_ms || min_ms > max_ms) report('/settle', '"max_ms" must not be below the others.');
  pack.dialogs.forEach((dialog, index) => {
    if (dialog.kind !== 'permission' && dialog.choices.some((choice) => choice.class !== 'other'))
      report(
        `/dialogs/${index}/choices`,
        `Dialog "${dialog.id}" is no permission dialog: only class "other" fits.`,
      );
  });
}

/** Checks the text of a pack file. `name` is the file's name without its extension. */
export function checkPack(text: string, name: string): Checked {
  let json: JsonText;
  try {
    json = readJson(text);
  } catch (error) {
    if (error instanceof JsonProblem)
      return { problem: { line: error.line, text: `No JSON: ${error.message}.` } };
    throw error;
  }
  const { value } = json;
  if (!validator.Check(value))
    return { problem: schemaProblem(json, validator.Errors(value) as SchemaError[]) };
  const problems: PackProblem[] = [];
  const report: Report = (pointer, problem) => problems.push({ line: json.lineOf(pointer), text: problem });
  if (value.name !== name)
    report('/name', `The pack is named "${value.name}" and its file "${escapeText(name)}".`);
  checkRules(value, report);
  checkTexts(value, '', report);
  checkRest(value, report);
  const [first] = problems.sort((a, b) => a.line - b.line);
  return first === undefined ? { pack: value } : { problem: first };
}
