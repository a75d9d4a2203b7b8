// The latest permission request of an occupant: the vectors of spec/vectors/permissions/observe.json.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Observation,
  observePermission,
  PermissionBook,
  permissionStop,
} from '../../../runtime/seats/permission.js';
import { readVectors } from '../../support/byte-vector.js';

const test = suite('permission observation');

interface Event {
  readonly at: number;
  readonly event: string;
  readonly tool: string;
  readonly agent_id?: string | null;
}
interface Case {
  readonly description: string;
  readonly events: readonly Event[];
  readonly at: number;
  readonly state: string;
  readonly actor?: string;
  readonly tool?: string;
}

for (const one of readVectors<Case>('permissions/observe.json', ['events', 'at', 'state', 'actor', 'tool'])) {
  test(one.description, () => {
    let seen: Observation | undefined;
    for (const { at, event, ...post } of one.events) seen = observePermission(seen, event, post, at);
    const stop = permissionStop(seen, one.at);
    assert.is(stop.state, one.state);
    assert.is(stop.actor, one.actor);
    assert.is(stop.tool, one.tool);
    assert.is(stop.pending, 'unknown');
  });
}

test('the relay’s time counts while it is within five minutes of ours', () => {
  const now = Date.parse('2026-01-01T12:00:00.000Z');
  const at = (source_at: string) =>
    permissionStop(observePermission(undefined, 'PermissionRequest', { tool: 'T', source_at }, now), now)
      .sourceAt;
  assert.is(at('2026-01-01T11:59:00.000Z'), '2026-01-01T11:59:00.000Z');
  assert.is(at('2026-01-01T11:00:00.000Z'), '2026-01-01T12:00:00.000Z');
  assert.is(at('yesterday'), '2026-01-01T12:00:00.000Z');
});

test('the next occupant inherits nothing', () => {
  const book = new PermissionBook(() => 0);
  const [one, next] = [{}, {}];
  book.observe(one, 'PermissionRequest', { tool: 'T' });
  assert.is(book.stopOf(one).state, 'request_observed');
  assert.is(book.stopOf(next).state, 'unavailable');
});

test.run();
