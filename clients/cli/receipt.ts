// A receipt of the floor for people: what was done, or that nothing was and why, and the exit status that follows. Always
// true: what is not known is never told as done.
import type { Receipt } from '../sdk/index.js';
import type { Context } from './context.js';
import { QuietExit } from './failure.js';
import { paint, printable } from './print.js';

/** `done`: the line for a receipt that says delivered, with its newline. Throws the exit status of a failure. */
export function sayReceipt(paper: Context, receipt: Receipt, done: string): void {
  if (paper.json) paper.sayJson(receipt);
  else if (receipt.outcome === 'delivered') paper.say(done);
  else {
    const sure = receipt.sent === false ? 'Nothing was typed.' : 'Not sure.';
    paper.say(
      `${paint(paper, 'red', sure)} ${printable(receipt.error ?? '')} (${printable(receipt.reason)})\n`,
    );
    if (receipt.next) paper.say(`  next: ${printable(receipt.next)}\n`);
  }
  if (receipt.status >= 500) throw new QuietExit(2);
  if (!receipt.ok) throw new QuietExit(1);
}
