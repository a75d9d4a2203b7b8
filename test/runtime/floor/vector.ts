// Reads the vectors of the floor and the guard. A case with a field that its reader doesn't know fails, so that no
// vector is ever half run. Partial views and requests are laid over the base case.
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Request } from '../../../runtime/floor/request.js';
import type { View } from '../../../runtime/floor/view.js';

const root = new URL(import.meta.url.includes('/dist/') ? '../../../../' : '../../../', import.meta.url);

/** The cases of one file below spec/vectors. `fields` are all that a case may have, besides its description. */
export function cases<T>(
  path: string,
  fields: readonly string[],
): Array<T & { readonly description: string }> {
  const list = JSON.parse(readFileSync(new URL(`spec/vectors/${path}`, root), 'utf8')) as Array<
    Record<string, unknown>
  >;
  assert.ok(list.length > 0, path);
  const seen = new Set<unknown>();
  for (const one of list) {
    assert.type(one.description, 'string');
    assert.match(String(one.description), /^[A-Za-z0-9].*\.$/);
    assert.not.ok(seen.has(one.description), `twice: ${one.description}`);
    seen.add(one.description);
    for (const field of Object.keys(one)) {
      assert.ok(field === 'description' || fields.includes(field), `${path} does not know ${field}`);
    }
  }
  return list as unknown as Array<T & { readonly description: string }>;
}

interface Base {
  readonly now: number;
  readonly view: View;
  readonly request: Request;
}

const [base] = cases<Base>('floor/base.json', ['now', 'view', 'request']);
assert.ok(base);
export const NOW = base.now;

/** An agent at its empty prompt with nobody near, changed as the case says. */
export function viewOf(change: Partial<View> = {}): View {
  for (const field of Object.keys(change)) assert.ok(field in base!.view, `no such fact: ${field}`);
  const view = { ...base!.view, ...change };
  return { ...view, reading: view.reading ?? undefined };
}

const OPTIONAL = [
  'expectTenure',
  'idempotencyKey',
  'supersede',
  'dialog',
  'routine',
  'actor',
  'reason',
  'intervention',
];

/** A plain send to it. */
export function requestOf(change: Partial<Request> = {}): Request {
  for (const field of Object.keys(change)) {
    assert.ok(field in base!.request || OPTIONAL.includes(field), `no such field: ${field}`);
  }
  return { ...base!.request, ...change };
}
