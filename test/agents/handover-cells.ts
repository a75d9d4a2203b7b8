// A cell about handovers: a real agent that can resume gives its seat to another of the same conversation, while an operator
// is attached, a wake waits and a message is held.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from './cell.js';
import { type Field, LeftOut, must, pause } from './field.js';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Where an agent that names its own conversation keeps it. */
const KEPT: Readonly<Record<string, string>> = { codex: '.codex/sessions', pi: '.pi/agent/sessions' };

function keptId(field: Field): string | undefined {
  const folder = KEPT[field.cli.pack];
  if (folder === undefined) throw new LeftOut('nothing says which conversation it is in');
  const files = readdirSync(join(field.place.env.HOME ?? '', folder), { recursive: true }) as string[];
  // Their names begin with the time.
  return files
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .at(-1)
    ?.match(UUID)
    ?.at(-1);
}

export const handedOver: Cell = {
  id: 'H1',
  title:
    'handed over by resume: the operator follows, the wake is typed to the new one once, what was held is not',
  async run(field) {
    const { model, rig, cli } = field;
    const named = cli.pack === 'claude-code' ? randomUUID() : undefined;
    if (named === undefined && KEPT[cli.pack] === undefined)
      throw new LeftOut('no conversation of it is known here');
    const seat = await field.alone(named ? ['--session-id', named] : []);
    try {
      await seat.reaches('idle', cli.startMs);
      await seat.free(cli.startMs);
      const first = await seat.send('remember the number 7501', 15_000);
      must(first.body.outcome === 'delivered', `${first.body.outcome} ${first.body.reason}`);
      await seat.reaches('idle', 20_000, ({ turns }) => turns > 0);
      const conversation = named ?? keptId(field);
      must(conversation !== undefined, 'it kept no conversation');
      await rig.guard(seat.seat, 'hold');
      const held = await seat.send('held for the old one');
      must(held.body.outcome === 'retained', `held: ${held.body.outcome} ${held.body.reason}`);
      await rig.guard(seat.seat, 'off');
      await seat.free();
      const slow = await seat.send('SLOW work', 15_000);
      must(slow.body.outcome === 'delivered', `slow: ${slow.body.outcome} ${slow.body.reason}`);
      const shepherd = await rig.token('shepherd');
      const wake = {
        seat: seat.seat,
        origin: 'wake',
        body: 'wake for whoever sits here',
        idempotency_key: 'w',
      };
      const waiting = rig.ask(shepherd, { ...wake, ref: 1, wait_ms: 120_000 });
      await seat.until('a wake that waits', 10_000, async () => {
        const { body } = await rig.call('GET', `/api/seat/status/${seat.seat}`);
        return body.waiting > 0;
      });
      const from = Date.now();
      const body = { mode: 'resume', conversation, reason: 'a newer one' };
      const done = await rig.call('POST', `/api/seat/handover/${seat.seat}`, body);
      const tookMs = Date.now() - from;
      const { continuityOutcome, seatBindingOutcome, failure } = done.body;
      must(
        continuityOutcome === 'resumed' && seatBindingOutcome === 'handed_over',
        `${done.status} ${continuityOutcome} ${seatBindingOutcome} ${JSON.stringify(failure ?? done.body)}`,
      );
      const early = await waiting;
      must(early.state === 'failed' || early.state === 'complete', `the wake: ${JSON.stringify(early)}`);
      // Its sender asks again, as Shepherd does, with the same key.
      const again = await rig.ask(shepherd, { ...wake, ref: 2, wait_ms: 60_000 });
      must(again.state === 'complete', `the wake again: ${JSON.stringify(again)}`);
      await seat.until('the model', 10_000, async () =>
        model.asked.some(({ text }) => text.includes(wake.body)),
      );
      await pause(1_000);
      const times = (part: string) => model.asked.filter(({ text }) => text.includes(part)).length;
      must(times(wake.body) === 1, `the wake was read ${times(wake.body)} times`);
      must(times('held for') === 0, 'what was held was typed');
      const notices = seat.operator.frames.filter(({ type }) => type === 'attach-notice');
      must(notices.length === 2, `${notices.length} notices on the operator's socket`);
      const told = (await rig.call('GET', `/api/seat/lineage/${seat.seat}`)).body;
      const [row] = told.handovers;
      must(row?.new?.conversation === conversation, `the record: ${JSON.stringify(row)}`);
      return `${continuityOutcome} and ${seatBindingOutcome} in ${(tookMs / 1000).toFixed(1)} s; the wake once (first ${early.reason}), held none`;
    } finally {
      seat.close();
      await rig.call('DELETE', `/admin/sessions/${seat.seat}`);
    }
  },
};
