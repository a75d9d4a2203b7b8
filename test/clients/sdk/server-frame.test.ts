// Server frames as a client reads them: what the protocol calls a frame is one here too, and what is none is ignored.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readServerFrame } from '../../../clients/sdk/server-frame.js';
import { parseServerFrame } from '../../../protocol/frame.js';

const test = suite('server-frame');

const NOTICE = {
  v: 1,
  type: 'attach-notice',
  stream_offset: 12,
  replay_from: 4,
  replay_bytes: 8,
  ephemeral_workspace: true,
  teardown_best_effort: true,
  externalise_with: 'git push',
  mode: 'join',
  rows: 24,
  cols: 80,
  generation: 1,
  seat: 'bash',
};
const FRAMES = [
  NOTICE,
  { v: 1, type: 'gap', bytes_dropped: 0 },
  { v: 1, type: 'snapshot', stream_offset: 3, bytes: 9, rows: 24, cols: 80 },
  { v: 1, type: 'size', rows: 30, cols: 100 },
  { v: 1, type: 'exit', code: 0, signal: null },
  { v: 1, type: 'exit', code: null, signal: 'SIGKILL' },
  { v: 1, type: 'pong' },
];

test('every frame of the protocol that the SDK acts on is read under its own name', () => {
  for (const frame of FRAMES) {
    assert.ok(parseServerFrame(JSON.stringify(frame)), frame.type);
    assert.is(readServerFrame(JSON.stringify(frame))?.kind, frame.type);
  }
});

test('the other frames of the protocol and of later versions reach the caller as they came', () => {
  const warning = { v: 1, type: 'ttl-warning', seconds_remaining: 30, absolute: true };
  assert.ok(parseServerFrame(JSON.stringify(warning)));
  for (const frame of [warning, { v: 1, type: 'status', state: 'idle' }]) {
    assert.equal(readServerFrame(JSON.stringify(frame)), { kind: 'other', frame });
  }
});

test('the notice of an older runtime is a notice, with nothing said where it says nothing', () => {
  const { v, type, stream_offset, ephemeral_workspace, teardown_best_effort, externalise_with } = NOTICE;
  const old = { v, type, stream_offset, ephemeral_workspace, teardown_best_effort, externalise_with };
  const read = readServerFrame(JSON.stringify(old));
  assert.is(read?.kind, 'attach-notice');
  if (read?.kind !== 'attach-notice') return;
  assert.is(read.notice.stream_offset, 12);
  assert.is(read.notice.replay_from, undefined);
  assert.is(read.notice.mode, undefined);
});

test('text that is no frame of version 1 is ignored', () => {
  const none = [
    '',
    'x',
    '[]',
    'null',
    '1',
    '{}',
    '{"type":"gap","bytes_dropped":1}',
    '{"v":2,"type":"gap","bytes_dropped":1}',
    '{"v":1,"type":7}',
    '{"v":1,"type":"gap","bytes_dropped":-1}',
    '{"v":1,"type":"gap","bytes_dropped":"1"}',
    '{"v":1,"type":"gap"}',
    '{"v":1,"type":"attach-notice","stream_offset":1.5}',
    '{"v":1,"type":"attach-notice","stream_offset":1,"replay_from":"0"}',
    '{"v":1,"type":"exit","code":"0"}',
    '{"v":1,"type":"exit","signal":9}',
    '{"v":1,"type":"size","rows":24}',
    '{"v":1,"type":"snapshot","stream_offset":1,"bytes":1,"rows":24}',
  ];
  for (const text of none) assert.is(readServerFrame(text), undefined, text);
});

test.run();
