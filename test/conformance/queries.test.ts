// The runtime is the terminal: queries of the child are answered at the source, in order, attached or not, however they
// are split; replies of emulators never reach the child; keys and pasted text always do. Cases U22, U23, D17 to D19.
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Attached } from '../support/attached.js';
import { openSubject, type SessionToken, type Subject } from '../support/subject.js';

const test = suite('conformance: queries');
let subject: Subject;
test.before(async () => {
  subject = await openSubject();
});
test.after(() => subject.close());

const program = fileURLToPath(new URL('../support/query-child.js', import.meta.url));
const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex');
/** DA1 and DSR, and what the child gets for them: the fence behind every query, since replies come in query order. */
const FENCE = '\x1b[c\x1b[5n';
const FENCE_REPLY = /\x1b\[\?6[0-9;]*c\x1b\[0n$/;

async function child(): Promise<{ session: SessionToken; client: Attached }> {
  const session = await subject.create();
  const client = await subject.attach(session);
  client.send(`exec ${process.execPath} ${program}\r`);
  await client.until('<query-child>');
  return { session, client };
}

/** Everything that has reached the child's terminal beyond `from`, decoded. */
function reached(client: Attached, from: number): string {
  const shown = [...client.output.slice(from).matchAll(/\{([0-9a-f]+)\}/g)].map((match) => match[1]).join('');
  return Buffer.from(shown, 'hex').toString('latin1');
}

/** Prints `text` and answers what the child got back before the fence's reply. */
async function answered(client: Attached, text: string, order: 'Q' | 'S' = 'Q'): Promise<string> {
  const from = client.output.length;
  client.send(`\x01${order}${hex(text)}\n`);
  if (order === 'S') await client.until('~', from, 15_000);
  client.send(`\x01Q${hex(FENCE)}\n`);
  const all = await client.wait('the fence', () => {
    const got = reached(client, from);
    return FENCE_REPLY.test(got) ? got : undefined;
  });
  return all.replace(FENCE_REPLY, '');
}

test('U23 fixed queries get the reply of the table', async () => {
  const { client } = await child();
  const table: ReadonlyArray<readonly [string, RegExp]> = [
    ['\x1b[c', /^\x1b\[\?6[0-9;]+c$/],
    ['\x1b[0c', /^\x1b\[\?6[0-9;]+c$/],
    ['\x1b[>c', /^\x1b\[>[0-9;]+c$/],
    ['\x1b[5n', /^\x1b\[0n$/],
    ['\x1b[?15n', /^\x1b\[\?1[03]n$/],
    ['\x1b]10;?\x07', /^\x1b\]10;rgb:[0-9a-f/]+\x07$/],
    ['\x1b]11;?\x1b\\', /^\x1b\]11;rgb:[0-9a-f/]+\x1b\\$/],
    ['\x1b]12;?\x07', /^\x1b\]12;rgb:[0-9a-f/]+\x07$/],
    ['\x1b[?u', /^\x1b\[\?0u$/],
    ['\x1b[6n', /^\x1b\[\d+;\d+R$/],
    ['\x1b[?6n', /^\x1b\[\?\d+;\d+(;\d+)?R$/],
    ['\x1b[>q', /^\x1bP>\|[^\x1b]+\x1b\\$/],
    ['\x1b[?2004$p', /^\x1b\[\?2004;[0-4]\$y$/],
  ];
  for (const [query, expected] of table) {
    assert.match(await answered(client, query), expected, JSON.stringify(query));
  }
  await client.end();
});

test('U23 a burst of queries is answered in query order, and the bytes around them reach the client', async () => {
  const { client } = await child();
  const from = client.output.length;
  const got = await answered(client, 'A\x1b[6nB\x1b[5nC\x1b[?uD\x1b]11;?\x07E');
  assert.match(got, /^\x1b\[\d+;\d+R\x1b\[0n\x1b\[\?0u\x1b\]11;rgb:[0-9a-f/]+\x07$/);
  const printed = client.output.slice(from).replace(/\{[0-9a-f]+\}/g, '');
  assert.is(printed, 'ABCDE');
  await client.end();
});

test('U23 kitty flags are pushed, set, popped and reported', async () => {
  const { client } = await child();
  const flags = async (text: string) => /\x1b\[\?(\d+)u$/.exec(await answered(client, `${text}\x1b[?u`))?.[1];
  assert.is(await flags('\x1b[>1u'), '1');
  assert.is(await flags('\x1b[>5u'), '5');
  assert.is(await flags('\x1b[=2;2u'), '7');
  assert.is(await flags('\x1b[=1;3u'), '6');
  assert.is(await flags('\x1b[<u'), '1');
  assert.is(await flags('\x1b[?1049h'), '0');
  assert.is(await flags('\x1b[>8u'), '8');
  assert.is(await flags('\x1b[?1049l'), '1');
  assert.is(await flags('\x1b[<9u'), '0');
  await client.end();
});

test('D17 a query split at every byte is answered once', async () => {
  const { client } = await child();
  const table: ReadonlyArray<readonly [string, RegExp]> = [
    ['\x1b[c', /^\x1b\[\?6[0-9;]+c$/],
    ['\x1b[6n', /^\x1b\[\d+;\d+R$/],
    ['\x1b[?15n', /^\x1b\[\?1[03]n$/],
    ['\x1b]11;?\x1b\\', /^\x1b\]11;rgb:[0-9a-f/]+\x1b\\$/],
    ['\x1b[?u', /^\x1b\[\?0u$/],
    ['\x1b[?2026$p', /^\x1b\[\?2026;[0-4]\$y$/],
  ];
  for (const [query, expected] of table) {
    assert.match(await answered(client, `${query}~`, 'S'), expected, JSON.stringify(query));
  }
  await client.end();
});

test('D18 the cursor position is answered with nobody attached', async () => {
  const { session, client } = await child();
  const from = client.output.length;
  client.send(`\x01L${hex('\x1b[6n')}\n`);
  await client.settled();
  const { stream_offset: start } = client.notice;
  const offset = (start as number) + client.bytes.length;
  client.control({ v: 1, type: 'detach' });
  await client.closed;
  assert.is(from <= client.output.length, true);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const again = await subject.attach(session, { query: `since=${offset}` });
  await again.wait('the reply', () => (/^\x1b\[\d+;\d+R$/.test(reached(again, 0)) ? true : undefined));
  await again.end();
});

test('D19 modified F3 and other keys reach the child as they were typed', async () => {
  const { client } = await child();
  const keys = [
    '\x1b[1;2R',
    '\x1b[1;5R',
    '\x1b[A',
    '\x1bOP',
    '\x1b',
    'x',
    '\x1b[13;2u',
    '\x1b[<0;10;5M',
    '\x1b[<0;10;5m',
    '\x1b[3~',
  ];
  for (const key of keys) {
    const from = client.output.length;
    client.send(key);
    await client.wait(JSON.stringify(key), () =>
      reached(client, from).length >= key.length ? true : undefined,
    );
    assert.is(reached(client, from), key);
  }
  await client.end();
});

test('D19 pasted text reaches the child whole, replies and all', async () => {
  const { client } = await child();
  client.send(`\x01Q${hex('\x1b[?2004h')}\n`);
  await client.settled();
  const pasted = '\x1b[200~a\x1b[?65;4c b\x1b[24;80R c\x1b]11;rgb:00/00/00\x07 d\x1b[201~';
  const from = client.output.length;
  client.send(pasted);
  await client.wait('the paste', () => (reached(client, from).length >= pasted.length ? true : undefined));
  assert.is(reached(client, from), pasted);
  await client.end();
});

test('U22 replies of an emulator never reach the child, alone, in a row or between keys', async () => {
  const { client } = await child();
  const replies = [
    '\x1b[?65;4;1c',
    '\x1b[>65;20;1c',
    '\x1b[0n',
    '\x1b[?997;1n',
    '\x1b[24;80R',
    '\x1b[?0u',
    '\x1b]10;rgb:ffff/ffff/ffff\x07',
    '\x1b]11;rgb:0000/0000/0000\x1b\\',
    '\x1bP!|00000000\x1b\\',
    '\x1bP1$r0m\x1b\\',
    '\x1bP1+r544e=787465726d\x1b\\',
    '\x1bP>|xterm(390)\x1b\\',
    '\x1b[?2026;2$y',
  ];
  for (const text of [...replies, replies.join('')]) {
    const from = client.output.length;
    client.send(`a${text}b`);
    await client.wait(JSON.stringify(text), () => (reached(client, from).endsWith('b') ? true : undefined));
    assert.is(reached(client, from), 'ab', JSON.stringify(text));
  }
  await client.end();
});

test('U22 a reply split over two messages does not reach the child either', async () => {
  const { client } = await child();
  for (const text of ['\x1b[?65;4;1c', '\x1b]11;rgb:0000/0000/0000\x1b\\']) {
    for (let at = 2; at < text.length; at += 3) {
      const from = client.output.length;
      client.send(text.slice(0, at));
      client.send(`${text.slice(at)}b`);
      await client.wait('the key after it', () => (reached(client, from).endsWith('b') ? true : undefined));
      assert.is(reached(client, from), 'b', `${JSON.stringify(text)} at ${at}`);
    }
  }
  await client.end();
});

test.run();
