// Cells about the typing guard with a real agent: draft-aware reads the composer, Enter is refused when something comes
// between, a permission dialog is answered once and by nobody who may not; and a false hold is a fault too.
import type { Cell } from './cell.js';
import { type Field, LeftOut, must, pause, Wrong } from './field.js';
import { openDialog } from './status-cells.js';

async function inMode(field: Field, mode: string, run: () => Promise<string>): Promise<string> {
  const set = await field.rig.guard(field.seat, mode);
  must(
    set.status === 200 || set.status === 202,
    `set-typing-guard ${mode}: ${set.status} ${set.body?.reason}`,
  );
  try {
    return await run();
  } finally {
    await field.rig.guard(field.seat, 'off');
  }
}

async function erase(field: Field, keys: number): Promise<void> {
  for (let key = 0; key < keys; key++) {
    field.operator.type('\x7f');
    await pause(60);
  }
}

/**
 * Empties the composer with not one key too many: in Gemini CLI a Backspace in an empty composer draws nothing, and an
 * undrawn key is a draft.
 */
export async function clear(field: Field): Promise<void> {
  field.operator.type('\x15');
  for (let key = 0; key < 60; key++) {
    await pause(300);
    if ((await field.status()).composer.state === 'empty') return;
    await erase(field, 1);
  }
}

export const draftAware: Cell = {
  id: 'G1',
  title: 'draft-aware: a draft is held at once, an empty composer with its placeholder is typed into',
  run: (field) =>
    inMode(field, 'draft-aware', async () => {
      await field.free();
      await field.type('half typed');
      await field.until(
        'the end of the quiet time',
        8_000,
        async () => (await field.floor()).reason !== 'human_active',
      );
      const granted = await field.granted();
      const held = await field.send('not onto this');
      must(held.body.outcome === 'retained', `${held.status} ${held.body.outcome} ${held.body.reason}`);
      must(held.body.reason === 'draft_input_busy', held.body.reason);
      must((await field.granted()) === granted, 'something was granted');
      must((await field.screen()).includes('half typed'), 'the draft is gone');
      await erase(field, 'half typed'.length);
      await field.free(15_000);
      const { composer } = await field.status();
      const sent = await field.send('onto an empty composer', 5_000);
      must(
        sent.body.outcome === 'delivered',
        `${sent.body.outcome} ${sent.body.reason} ${sent.body.cause ?? ''}`,
      );
      await field.reaches('idle', 20_000);
      return `held ${held.body.reason}; then composer ${composer.state}, delivered`;
    }),
};

/** Sends a text and runs something as soon as its text stands on the screen, before Enter. */
export async function between(
  field: Field,
  text: string,
  act: () => void,
): Promise<{ outcome: string; reason: string }> {
  const marker = `marker-${Math.random().toString(36).slice(2, 10)}`;
  const mark = field.operator.screen.length;
  const sending = field.send(`${text} ${marker}`, 10_000);
  // The bytes on the wire, not a capture: a few milliseconds decide.
  await field.operator.until(() => field.operator.screen.slice(mark).includes(marker.slice(0, 10)));
  act();
  return (await sending).body;
}

export const keyBetween: Cell = {
  id: 'G2',
  title: 'a key between paste and Enter: no Enter, the text stays for the person',
  async run(field) {
    for (let attempt = 0; attempt < 5; attempt++) {
      await field.free();
      const before = field.model.asked.length;
      const { outcome, reason } = await between(field, 'a text with a key behind', () =>
        field.operator.type('x'),
      );
      if (outcome === 'delivered' || outcome === 'unconfirmed') {
        // The key came after Enter: nothing was between.
        await field.reaches('idle', 20_000);
        await erase(field, 1);
        continue;
      }
      must(outcome === 'indeterminate', `${outcome} ${reason}`);
      await pause(1_500);
      must(field.model.asked.length === before, 'the model was asked');
      await clear(field);
      await field.rig.call('POST', `/api/seat/settle/${field.seat}`);
      await field.free(15_000);
      return `${reason}; not submitted`;
    }
    throw new LeftOut('in five attempts the key never came before Enter');
  },
};

export const dialogAnswered: Cell = {
  id: 'G3',
  title: 'allow_once answers its permission dialog; "always" and another token can not',
  async run(field) {
    await openDialog(field);
    const { dialog, status } = await field.until('the dialog on the screen', 8_000, async () => {
      const seen = await field.status();
      return seen.dialog !== undefined && seen;
    });
    must(dialog !== undefined, 'no dialog');
    if (dialog.kind !== 'permission') {
      // Only permission dialogs are answered by anybody but a person at the keys.
      const { status: code, body } = await field.answer(dialog.instance, 'allow_once');
      must(code >= 400, `a ${dialog.kind} dialog was answered: ${code} ${body?.outcome}`);
      field.operator.type(field.cli.approve);
      await field.reaches('idle', 25_000, ({ turns }) => turns > status.turns);
      return `a ${dialog.kind} dialog is left to people (${body.reason})`;
    }
    const always = await field.answer(dialog.instance, 'allow_always');
    must(always.status === 400, `allow_always: ${always.status}`);
    const self = await field.answer(dialog.instance, 'allow_once', field.agentToken);
    must(self.status === 403 || self.status === 401, `the agent's own token: ${self.status}`);
    must((await field.status()).dialog?.instance === dialog.instance, 'the dialog has gone');
    const { status: code, body } = await field.answer(dialog.instance, 'allow_once');
    must(code === 200, `${code} ${body?.outcome} ${body?.reason} ${body?.cause ?? ''}`);
    await field.reaches('idle', 25_000, ({ turns }) => turns > status.turns);
    const again = await field.answer(dialog.instance, 'allow_once');
    must(again.status >= 400, 'the same instance was answered twice');
    return `allowed once (${body.outcome}); own token ${self.status} ${self.body?.reason ?? ''}; again: ${again.body?.reason}`;
  },
};

export const dialogDenied: Cell = {
  id: 'G4',
  title: 'deny_once answers it, and the tool does not run',
  async run(field) {
    await openDialog(field);
    const seen = await field.until('the dialog on the screen', 8_000, async () => {
      const found = await field.status();
      return found.dialog !== undefined && found;
    });
    const { dialog, status } = seen;
    must(dialog !== undefined, 'no dialog');
    if (dialog.kind !== 'permission') {
      field.operator.type('\x1b');
      await field.reaches('idle', 25_000);
      throw new LeftOut(`its dialog is a ${dialog.kind}`);
    }
    const { status: code, body } = await field.answer(dialog.instance, 'deny_once');
    must(code === 200, `${code} ${body?.outcome} ${body?.reason} ${body?.cause ?? ''}`);
    await field.reaches('idle', 25_000);
    await field.free();
    return `${body.outcome}, was ${status.kind}`;
  },
};

/** Sends a text again and again; every one must begin within a second of the last obstacle. */
export function liveness(mode: 'off' | 'draft-aware', sends: number): Cell {
  return {
    id: mode === 'off' ? 'L1' : 'L2',
    title: `many sends in mode ${mode}: first byte within a second of the last obstacle, none held or refused`,
    run: (field) =>
      inMode(field, mode, async () => {
        const took: number[] = [];
        /** Typed and submitted, but the agent took longer than the confirmation waits. */
        let late = 0;
        await field.free();
        // The keys of the cell before are an obstacle too.
        await field.free();
        for (let index = 0; index < sends; index++) {
          const asked = field.model.asked.length;
          const told = Math.max(0, field.mark() - 4);
          const from = Date.now();
          const { body } = await field.send(`QUICK message ${index}`, 10_000);
          if (body.outcome === 'unconfirmed') late++;
          else if (body.outcome !== 'delivered') {
            const { status } = await field.status();
            const now = `now ${status.state} (${status.source}, ${status.detail}), ${Date.now() - from} ms after ${field.story(told)}`;
            throw new Wrong(`send ${index}: ${body.outcome} ${body.reason} ${body.cause ?? ''}; ${now}`);
          }
          const at = await field.grantedAt(body.id);
          const idle = field.since(0).findLast((told) => told.state === 'idle' && told.at <= at)?.at ?? 0;
          took.push(at - Math.max(from, idle));
          await field.until('the turn', 15_000, () => (field.model.asked[asked]?.endedAt ?? 0) > 0);
        }
        must(field.model.asked.length > 0, 'the model was never asked');
        took.sort((a, b) => a - b);
        const worst = took.at(-1) ?? 0;
        must(worst <= 1_000, `the slowest began ${worst} ms after its last obstacle`);
        const unconfirmed = late > 0 ? `, ${late} confirmed late` : '';
        return `${sends} sends${unconfirmed}: p50 ${took[Math.floor(took.length / 2)]} ms, worst ${worst} ms after the last obstacle`;
      }),
  };
}
