// The plan of one grant (floor.md 7): what will be typed and what it is compared with afterwards. Always true: it is made
// from the view that granted, and never changes. It writes nothing.

import { utf8 } from './body.js';
import { pasteBytes } from './frame.js';
import type { Request } from './request.js';
import { drivesDialog } from './row.js';
import { type Mark, markOf, type Sighting, sight, wholeMark } from './staged.js';
import { currentReading, type DialogView, openDialog, type View } from './view.js';

/** A grant is good for one generation and one epoch; a stale fence writes nothing. */
export interface Fence {
  readonly generation: number;
  readonly epoch: number;
}

/** What is typed: a message, the keys that answer a dialog, or a text into a dialog that an override drives. */
export type PlanKind = 'message' | 'answer' | 'dialog_text';

export interface Plan {
  readonly request: Request;
  readonly fence: Fence;
  readonly kind: PlanKind;
  readonly paste: Uint8Array;
  /** The paste stands in a frame of bracketed paste. */
  readonly framed: boolean;
  readonly mark: Mark;
  /** What the rows around the cursor showed before the paste. */
  readonly before: Sighting;
  readonly tenure: string | undefined;
  readonly dialog: string | undefined;
  /** Where an override types into a dialog. */
  readonly place: string | undefined;
  /** The agent was working already (an override), so working is no turn start. */
  readonly wasWorking: boolean;
}

/** The dialog, whatever its selected option has taken of a text. */
export function placeOf(dialog: DialogView | undefined): string | undefined {
  return dialog?.place ?? dialog?.instance;
}

const NOTHING_SEEN: Sighting = { labels: 0, count: 0, atCursor: false, rows: '' };

function planKind(request: Request, view: View): PlanKind {
  if (request.origin === 'answer') return 'answer';
  return drivesDialog(request, view) ? 'dialog_text' : 'message';
}

/** The plan for a request that has just been granted on this view. */
export function planFor(request: Request, view: View, fence: Fence): Plan {
  const kind = planKind(request, view);
  const dialog = openDialog(view);
  const keys = request.dialog === undefined ? undefined : dialog?.keys[request.dialog.choice];
  const mark = kind === 'dialog_text' ? wholeMark(request.body) : markOf(request.body);
  const reading = currentReading(view);
  const framed = kind === 'message' && view.bracketedPaste;
  return {
    request,
    fence,
    kind,
    paste: kind === 'answer' ? utf8(keys ?? '') : pasteBytes(request.body, framed),
    framed,
    mark,
    before: reading === undefined ? NOTHING_SEEN : sight(reading, mark),
    tenure: view.session.kind === 'live' ? view.session.tenure : undefined,
    dialog: kind === 'message' ? undefined : dialog?.instance,
    place: kind === 'dialog_text' ? placeOf(dialog) : undefined,
    wasWorking: view.status.state === 'working',
  };
}
