// Frames after the attach: what is taken, what counts as a strike, what closes at once. Cases E11, U4, U16 and D5, D12 of
// the attach contract. Limits are tested as pairs: at the limit, and one over.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Attached } from '../support/attached.js';
import { external, full, openSubject, type Subject } from '../support/subject.js';
import { eventually } from '../support/wire.js';

const test = suite('conformance: frames');
let subject: Subject;
test.before(async () => {
  subject = await openSubject();
});
test.after(() => subject.close());

/** The typed line shows the parts of the mark, only the running child prints it whole. */
const raw = (then: string) => `exec sh -c 'stty raw -echo; printf "<%s>" raw; exec ${then}'\r`;
/** A client whose child sends back every byte as it came. */
async function mirror(): Promise<{ name: string; client: Attached }> {
  const session = await subject.create();
  const client = await subject.attach(session);
  client.send(raw('cat'));
  await client.until('<raw>');
  await client.settled();
  return { name: session.session, client };
}

test('E11 the third malformed frame closes 1008, the first two are ignored', async () => {
  const before = (await subject.list()).abuse.malformed_frames as number;
  const session = await subject.create();
  const client = await subject.attach(session);
  client.control({ type: 'ping' });
  client.control({ v: 1, type: 'dance' });
  await client.settled();
  client.control({ v: 1, type: 'resize', cols: 0, rows: 24 });
  assert.equal(await client.closed, { code: 1008, reason: 'protocol violation' });
  assert.is((await subject.list()).abuse.malformed_frames, before + 3);
});

const malformed: ReadonlyArray<readonly [string, unknown]> = [
  ['no version', { type: 'ping' }],
  ['version 2', { v: 2, type: 'ping' }],
  ['version as text', { v: '1', type: 'ping' }],
  ['an unknown type', { v: 1, type: 'floor' }],
  ['no JSON', 'ping'],
  ['an array', [1, 'ping']],
  ['null', 'null'],
  ['size 0', { v: 1, type: 'resize', cols: 0, rows: 24 }],
  ['size 1001', { v: 1, type: 'resize', cols: 80, rows: 1001 }],
  ['size 100000', { v: 1, type: 'resize', cols: 100_000, rows: 24 }],
  ['a negative size', { v: 1, type: 'resize', cols: -80, rows: 24 }],
  ['a size as text', { v: 1, type: 'resize', cols: '80', rows: 24 }],
  ['half a cell', '{"v":1,"type":"resize","cols":80.5,"rows":24}'],
  ['a missing dimension', { v: 1, type: 'resize', cols: 80 }],
  ['an empty frame', ''],
];
test('U4 every kind of malformed frame is one strike', async () => {
  const session = await subject.create();
  for (const [name, frame] of malformed) {
    const before = (await subject.list()).abuse.malformed_frames as number;
    const client = await subject.attach(session, { query: 'mode=join' });
    client.control(frame);
    await client.settled();
    assert.is((await subject.list()).abuse.malformed_frames, before + 1, name);
    await client.end();
  }
});

test('U4 the valid frames are no strike, extra keys are ignored, and edges of the size are taken', async () => {
  const session = await subject.create();
  const client = await subject.attach(session);
  const before = (await subject.list()).abuse.malformed_frames;
  for (const size of [1, 1000]) client.control({ v: 1, type: 'resize', cols: size, rows: size });
  client.control({ v: 1, type: 'resize', cols: 80, rows: 24, pixels: 3 });
  client.control({ v: 1, type: 'ping', sent_at: 'now' });
  await client.settled();
  assert.is((await subject.list()).abuse.malformed_frames, before);
  client.control({ v: 1, type: 'detach', why: 'home' });
  assert.is((await client.closed).code, 1000);
});

test('a text frame of 4096 bytes is read, one of 4097 closes 1008 at once', async () => {
  const session = await subject.create();
  const client = await subject.attach(session);
  const frame = (bytes: number) => {
    const bare = JSON.stringify({ v: 1, type: 'ping', pad: '' });
    return JSON.stringify({ v: 1, type: 'ping', pad: 'x'.repeat(bytes - bare.length) });
  };
  client.control(frame(4_096));
  await client.text('pong');
  const before = (await subject.list()).abuse.oversize_frames as number;
  client.control(frame(4_097));
  assert.equal(await client.closed, { code: 1008, reason: 'protocol violation' });
  assert.is((await subject.list()).abuse.oversize_frames, before + 1);
});

test('input of 65536 bytes reaches the child whole, 65537 close 1008 at once', async () => {
  const { client } = await mirror();
  const from = client.output.length;
  const input = Buffer.alloc(65_536, 'abcdefghijklmnop');
  client.send(input);
  await client.wait('the echo', () => (client.bytes.length >= from + input.length ? true : undefined));
  assert.ok(client.bytes.subarray(from).equals(input));
  client.send(Buffer.alloc(65_537, 'x'));
  assert.equal(await client.closed, { code: 1008, reason: 'protocol violation' });
});

test('a message of more than 131072 bytes ends the connection, not the session', async () => {
  const { name, client } = await mirror();
  client.send(Buffer.alloc(131_073, 'x'));
  const { code } = await client.closed;
  assert.ok(code === 1009 || code === 1000 || code === 1006, `closed ${code}`);
  assert.is((await subject.row(name))?.alive, true);
});

test('an empty binary frame does nothing', async () => {
  const { client } = await mirror();
  const from = client.output.length;
  client.send('');
  client.send('x');
  await client.until('x', from);
  assert.is(client.output.slice(from), 'x');
  await client.end();
});

test('output comes in binary frames of at most 16 KiB, and nothing of it is lost or doubled', async () => {
  const { client } = await subject.shell();
  client.send("seq -f '%015.0f' 0 99999 | tr -d '\\r'; printf 'the-%s' end\r");
  await client.until('the-end', 0, 15_000);
  const text = client.output.replaceAll('\r', '');
  const start = text.indexOf(`${'0'.repeat(15)}\n`);
  const lines = text.slice(start).split('\n').slice(0, 100_000);
  assert.ok(lines.every((line, n) => Number(line) === n));
  const largest = Math.max(...client.frames.map((frame) => ('bytes' in frame ? frame.bytes.length : 0)));
  assert.ok(largest <= 16_384, `largest frame ${largest}`);
  await client.end();
});

test('D5 after 1008 nobody is attached, and the next attach is no takeover', async () => {
  const session = await subject.create();
  const client = await subject.attach(session);
  const { takeovers } = (await subject.list()).metrics;
  client.send(Buffer.alloc(65_537, 'x'));
  assert.is((await client.closed).code, 1008);
  await eventually(
    'attached: false',
    async () => (await subject.row(session.session))?.attached === false || undefined,
  );
  const next = await subject.attach(session);
  assert.is((await subject.list()).metrics.takeovers, takeovers);
  await next.end();
});

test('U16 D5 input that a child never reads closes 4007 at the bound; nobody is attached then', async () => {
  const session = await subject.create();
  const client = await subject.attach(session);
  client.send(raw('sleep 600'));
  await client.until('<raw>');
  const { takeovers } = (await subject.list()).metrics;
  // The bound is 4 MiB beside what the kernel takes; 6 MiB are over it on every platform.
  const chunk = Buffer.alloc(65_536, 'x');
  for (let n = 0; n < 96 && !client.isClosed; n++) client.send(chunk);
  assert.equal(await client.closed, { code: 4007, reason: 'capacity or admission bound reached' });
  assert.ok(((await subject.list()).abuse.input_backpressure_disconnects as number) >= 1);
  await eventually(
    'attached: false',
    async () => (await subject.row(session.session))?.attached === false || undefined,
  );
  const next = await subject.attach(session);
  assert.is((await subject.list()).metrics.takeovers, takeovers);
  await next.end();
});

test('D12 thirty short bursts of 300 KiB do not close a client that drains', async () => {
  const { client } = await subject.shell();
  for (let burst = 1; burst <= 30; burst++) {
    const from = client.output.length;
    client.send(`head -c 300000 /dev/zero | tr '\\0' x; printf '<%s>' ${burst}-end\r`);
    await client.until(`<${burst}-end>`, from);
  }
  assert.is(client.isClosed, false);
  assert.ok(client.texts.every((frame) => frame.type !== 'gap'));
  await client.end();
});

test('U16 a client that stops reading costs only itself: a second session answers meanwhile', async () => {
  const slow = await subject.shell();
  const other = await subject.shell();
  slow.client.send('yes 0123456789abcdef\r');
  slow.client.socket.pause();
  for (let n = 0; n < 5; n++) await other.client.run('true', 2_000);
  await slow.client.end();
  await other.client.end();
  await subject.kill(slow.session.session);
});

(full && !external ? test : test.skip)(
  'U16 a client that takes nothing for ten seconds is closed with 4005',
  async () => {
    const { client } = await subject.shell();
    client.send('yes 0123456789abcdef\r');
    client.socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    client.socket.resume();
    assert.equal(await client.closed, { code: 4005, reason: 'client could not keep up' });
  },
);

test.run();
