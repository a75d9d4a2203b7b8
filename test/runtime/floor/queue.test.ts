// The queue: order, bounds, groups and deadlines; and the keys that make a request the same request.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeadlineHeap, type Timed } from '../../../runtime/floor/deadline.js';
import { IdempotencyKeys } from '../../../runtime/floor/idempotency.js';
import {
  IDEMPOTENCY_MS,
  IDEMPOTENCY_RESULTS,
  QUEUE_BYTES,
  QUEUE_REQUESTS,
} from '../../../runtime/floor/limit.js';
import { Queue } from '../../../runtime/floor/queue.js';
import type { Request } from '../../../runtime/floor/request.js';
import { requestOf } from './vector.js';

const test = suite('floor/queue');
let count = 0;
const next = (change: Partial<Request> = {}) => requestOf({ id: `q${++count}`, ...change });
const heads = (queue: Queue) => queue.groups().map((group) => group.head?.request.id);

test('critical comes before urgent before send and wake before notice, first come first served inside', () => {
  const queue = new Queue();
  const notice = queue.add(next({ origin: 'notice', rank: 'notice' }));
  const wake = queue.add(next({ origin: 'wake' }));
  const send = queue.add(next());
  const urgent = queue.add(next({ urgent: true, rank: 'urgent' }));
  const critical = queue.add(next({ origin: 'wake', urgent: true, rank: 'critical' }));
  const second = queue.add(next({ origin: 'wake' }));
  const ids = [critical, urgent, wake, send, notice].map((one) => one.request.id);
  assert.equal(heads(queue), ids);
  queue.remove(wake);
  assert.equal(
    heads(queue),
    [critical, urgent, send, second, notice].map((one) => one.request.id),
  );
});

test('requests that every row judges alike share a group, others do not', () => {
  const queue = new Queue();
  const keys = [
    {},
    { identity: { kind: 'admin', name: 'root', scopes: [] } as const },
    { body: 'a\nb' },
    { urgent: true, rank: 'urgent' } as const,
    { origin: 'wake' } as const,
    { expectTenure: 't' },
    { expectGeneration: 8 },
    { bodyBytes: 1_025 },
  ].map((change) => queue.add(next(change)).group.key);
  assert.is(keys[0], keys[1]);
  assert.is(new Set(keys).size, 6);
  assert.is(keys[2], keys[7]);
});

test('1000 requests are the most', () => {
  const queue = new Queue();
  for (let i = 0; i < QUEUE_REQUESTS; i++) {
    const request = next();
    assert.ok(queue.fits(request));
    queue.add(request);
  }
  assert.not.ok(queue.fits(next()));
  queue.remove(queue.groups()[0]!.head!);
  assert.ok(queue.fits(next()));
});

test('16 MiB are the most', () => {
  const queue = new Queue();
  for (let i = 0; i < 16; i++) queue.add(next({ bodyBytes: 1_048_576 }));
  assert.is(queue.bytes, QUEUE_BYTES);
  assert.not.ok(queue.fits(next({ bodyBytes: 1 })));
  assert.ok(queue.fits(next({ bodyBytes: 0 })));
});

test('at most 16 answers and overrides wait for a reading at once', () => {
  const queue = new Queue();
  for (let i = 0; i < 16; i++) queue.add(next({ origin: 'override' }));
  assert.not.ok(queue.fits(next({ origin: 'answer' })));
  assert.ok(queue.fits(next()));
  assert.is(queue.groups().length, 16);
});

test('a supersede key is its sender’s own, and what it replaces makes room', () => {
  const queue = new Queue({ requests: 1, bytes: 100, singles: 1 });
  const first = queue.add(next({ supersede: 'row:1', bodyBytes: 90 }));
  const other = { kind: 'agent', name: 'someone else', scopes: [] } as const;
  assert.is(queue.superseded(next({ supersede: 'row:1', identity: other })), undefined);
  assert.is(queue.superseded(next({ supersede: 'row:2' })), undefined);
  const newer = next({ supersede: 'row:1', bodyBytes: 100 });
  assert.is(queue.superseded(newer), first);
  assert.ok(queue.fits(newer));
  assert.not.ok(queue.fits(next({ supersede: 'row:1', bodyBytes: 101 })));
  queue.remove(first);
  assert.is(queue.superseded(newer), undefined);
});

test('removing twice removes once', () => {
  const queue = new Queue();
  const one = queue.add(next());
  queue.add(next());
  queue.remove(one);
  queue.remove(one);
  assert.is(queue.size, 1);
  assert.is([...queue.all()].length, 1);
});

test('the heap gives the earliest instant after any adding, moving and removing', () => {
  const step = fc.record({
    at: fc.nat(50),
    what: fc.constantFrom('add', 'add', 'remove', 'move'),
    pick: fc.nat(30),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const heap = new DeadlineHeap<Timed>();
      const items: Timed[] = [];
      for (const { at, what, pick } of steps) {
        const item = items[pick % Math.max(1, items.length)];
        if (what === 'add' || item === undefined) {
          const added = { dueAt: at, heapIndex: -1 };
          items.push(added);
          heap.add(added);
        } else if (what === 'move') heap.move(item, at);
        else {
          heap.remove(item);
          heap.remove(item);
          items.splice(items.indexOf(item), 1);
        }
        assert.is(heap.size, items.length);
        const earliest = items.length === 0 ? undefined : Math.min(...items.map((one) => one.dueAt));
        assert.is(heap.earliest?.dueAt, earliest);
      }
    }),
  );
});

test('an idempotency key names its open request, then its result if that has any byte', () => {
  const keys = new IdempotencyKeys<string>();
  const first = next({ idempotencyKey: 'k' });
  const again = next({ idempotencyKey: 'k' });
  assert.is(keys.find(first, 0).kind, 'new');
  keys.open(first);
  assert.equal(keys.find(again, 1), { kind: 'open', id: first.id, bodySha256: 'd1' });
  keys.close(first, 'refused', false, 2);
  assert.is(keys.find(again, 3).kind, 'new');
  keys.open(again);
  keys.close(again, 'delivered', true, 4);
  const found = keys.find(first, 5);
  assert.ok(found.kind === 'result');
  assert.is(found.result, 'delivered');
  assert.is(keys.find(first, 4 + IDEMPOTENCY_MS - 1).kind, 'result');
  assert.is(keys.find(first, 4 + IDEMPOTENCY_MS).kind, 'new');
});

test('another body, or another answer, under a key is a conflict; another sender’s key is another key', () => {
  const keys = new IdempotencyKeys<string>();
  const first = next({ idempotencyKey: 'k' });
  keys.open(first);
  assert.equal(keys.find(next({ idempotencyKey: 'k', bodySha256: 'd2' }), 0), {
    kind: 'conflict',
    id: first.id,
  });
  const dialog = { instance: 'd', choice: 'allow_once' } as const;
  assert.is(keys.find(next({ idempotencyKey: 'k', dialog }), 0).kind, 'conflict');
  const identity = { kind: 'admin', name: 'root', scopes: [] } as const;
  assert.is(keys.find(next({ idempotencyKey: 'k', identity }), 0).kind, 'new');
  assert.is(keys.find(next(), 0).kind, 'new');
});

test('the oldest result goes when there are too many', () => {
  const keys = new IdempotencyKeys<number>();
  const requests = Array.from({ length: IDEMPOTENCY_RESULTS + 1 }, (_, i) =>
    next({ idempotencyKey: `k${i}` }),
  );
  for (const [at, request] of requests.entries()) keys.remember(request, at, at);
  assert.is(keys.size, IDEMPOTENCY_RESULTS);
  assert.is(keys.find(requests[0]!, 0).kind, 'new');
  assert.is(keys.find(requests[1]!, 0).kind, 'result');
});

test.run();
