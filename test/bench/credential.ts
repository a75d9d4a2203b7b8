// S2: wrong credentials never lock out a right one, on the admin plane and on the attach plane, from the same address.
import type { Bar } from './bar.js';
import { exactly } from './figure.js';

export const credentialBar: Bar = {
  id: 'S2',
  title: 'wrong credentials and a right one',
  async measure(bench) {
    if (bench.bareOnly) return [];
    const server = await bench.openfloor();
    const client = bench.client();
    const wrong = bench.quick ? 1_000 : 10_000;
    const session = await server.create(bench.children.echo);
    const ask = async (path: string, secret: string) => {
      const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${secret}` } });
      await answer.arrayBuffer();
      return answer.status;
    };
    let admitted = 0;
    let lockedOut = 0;
    const startedAt = performance.now();
    for (let n = 0; n < wrong; n++) {
      const secret = n.toString(16).padStart(64, '0');
      // The attach plane refuses a plain GET before it looks at the token, so this one opens sockets now and then.
      if ((await ask('/admin/sessions', secret)) === 200) admitted++;
      if (n % 50 !== 0) continue;
      if ((await ask('/admin/sessions', server.credential)) !== 200) lockedOut++;
      await client.firstPaint(server.endpoint({ ...session, token: secret })).then(
        () => admitted++,
        () => {},
      );
      await client.firstPaint(server.endpoint(session)).catch(() => lockedOut++);
    }
    const elapsedMs = performance.now() - startedAt;
    return [
      {
        bar: 'S2',
        what: `right credentials refused among ${wrong} wrong ones`,
        figure: lockedOut,
        unit: '',
        limit: exactly(0),
        note: `admin and attach, every 50; ${(wrong / (elapsedMs / 1_000)).toFixed(0)} wrong ones a second`,
      },
      { bar: 'S2', what: 'wrong credentials admitted', figure: admitted, unit: '', limit: exactly(0) },
    ];
  },
};
