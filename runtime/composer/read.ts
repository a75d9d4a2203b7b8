// One reading: what a screen says of an agent's composer, dialog and live rows, by the agent's pack. Always true: the
// same screen gives the same reading; a dialog is looked for only where no composer holds the cursor; a half-drawn
// frame says nothing. Who typed what, and what may follow from it, is decided elsewhere.
import { type ComposerReading, readComposer, type Veto } from './composer.js';
import { type DialogReading, readDialog } from './dialog.js';
import { labelsIn } from './label.js';
import { liveRows } from './live-row.js';
import { readMenu } from './menu.js';
import { type Plan, planOf } from './plan.js';
import type { ScreenSnapshot } from './snapshot.js';

/** Rows around the cursor in which paste labels count where no composer is recognised. */
const LABEL_ROWS_ABOVE = 6;
const LABEL_ROWS_BELOW = 2;

export interface ScreenReading {
  readonly composer: ComposerReading;
  readonly vetoes: readonly Veto[];
  readonly dialog: DialogReading | undefined;
  /** A live row that says that the agent works; untrusted text. */
  readonly working: { readonly detail: string } | undefined;
  readonly background: 'agents' | 'shell' | undefined;
  /** How often the pack's paste label stands in the rows around the cursor. */
  readonly pasteLabels: number;
}

/** The plan for an agent that no pack knows: everything is unread. */
export const NO_PLAN: Plan = planOf({ rows: [], paste_labels: [], dialogs: [] });

export function readScreen(snapshot: ScreenSnapshot, plan: Plan): ScreenReading {
  const { composer, vetoes, box } = readComposer(snapshot, plan);
  if (snapshot.syncOpen)
    return { composer, vetoes, dialog: undefined, working: undefined, background: undefined, pasteLabels: 0 };
  const { pack } = plan;
  const dialog =
    composer.kind === 'unknown'
      ? (readDialog(snapshot, pack.dialogs, pack.composer?.cursor.dialog) ?? readMenu(snapshot, plan))
      : undefined;
  const rows = liveRows(snapshot, pack.rows, box);
  const working = rows.find(({ rule }) => rule.says === 'working');
  const agents = rows.some(({ rule }) => rule.says === 'background_agents');
  const shell = rows.some(({ rule }) => rule.says === 'background_shell');
  const commands = rows.some(({ rule }) => rule.says === 'command_mode');
  return {
    composer: commands && composer.kind === 'empty' ? { kind: 'unknown', cause: 'command_mode' } : composer,
    vetoes: commands && !vetoes.includes('command_mode') ? [...vetoes, 'command_mode'] : vetoes,
    dialog,
    working: working === undefined ? undefined : { detail: working.text },
    background: agents ? 'agents' : shell ? 'shell' : undefined,
    pasteLabels:
      composer.kind === 'draft'
        ? composer.labels.length
        : composer.kind === 'empty'
          ? 0
          : labelsNear(snapshot, plan),
  };
}

function labelsNear(snapshot: ScreenSnapshot, plan: Plan): number {
  if (plan.labels.length === 0) return 0;
  const { y } = snapshot.cursor;
  let text = '';
  for (let row = y - LABEL_ROWS_ABOVE; row <= y + LABEL_ROWS_BELOW; row++)
    text += `${snapshot.line(row).text}\n`;
  return labelsIn(text, plan.labels).length;
}
