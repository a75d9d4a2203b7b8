// A cell about what comes between paste and Enter besides keys: the agent says that it is blocked. Always true: the report is
// written to the agent's terminal from outside, because no agent opens a dialog by itself while it rests; the screen and the
// composer are the agent's own. What a key between does is in guard-cells.ts.
import { readlinkSync, writeFileSync } from 'node:fs';
import type { Cell } from './cell.js';
import { type Field, LeftOut, must, pause } from './field.js';
import { between, clear } from './guard-cells.js';
import { startAgain } from './status-cells.js';

const report = (state: string) => `\x1b]7501;state=${state}\x1b\\`;

/** The terminal of the agent in front. */
function terminalOf(tenure: string | undefined): string {
  const pid = /\d+/.exec(tenure ?? '')?.[0];
  if (pid === undefined) throw new LeftOut(`tenure ${tenure} names no process`);
  return readlinkSync(`/proc/${pid}/fd/0`);
}

export const dialogBetween: Cell = {
  id: 'G5',
  title: 'blocked is reported between paste and Enter: no Enter, the text stays for the person',
  async run(field: Field) {
    for (let attempt = 0; attempt < 5; attempt++) {
      await field.free();
      const { status } = await field.status();
      const terminal = terminalOf(status.tenure);
      const before = field.model.asked.length;
      const { outcome, reason } = await between(field, 'a text with a dialog behind', () =>
        writeFileSync(terminal, report('blocked:kind=permission')),
      );
      await pause(1_500);
      const submitted = field.model.asked.length > before;
      writeFileSync(terminal, report('idle'));
      if (outcome === 'delivered' || outcome === 'unconfirmed') {
        // It came after Enter: nothing was between.
        await startAgain(field);
        continue;
      }
      must(outcome === 'indeterminate' && reason === 'target_needs_input', `${outcome} ${reason}`);
      must(!submitted, 'the model was asked');
      await clear(field);
      await field.rig.call('POST', `/api/seat/settle/${field.seat}`);
      // An agent that speaks by other means would never be heard again after this report.
      if (status.source !== 'program_status') await startAgain(field);
      await field.free(15_000);
      return `${reason}; not submitted`;
    }
    throw new LeftOut('in five attempts the report never came before Enter');
  },
};
