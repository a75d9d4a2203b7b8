// The demo agent as one pure function: `step(state, event)` gives the next state and what is to be done. Always true: what
// is due happens at its own time, in order, before a later event, so ticks change no result; an ended agent stays ended.
import { relabelled } from './composer.js';
import { dialogAfter } from './dialog.js';
import type { Input } from './key.js';
import { cancelled, type Event, type Later, only, type State, type Step, scheduled, then } from './state.js';
import { dialogAnswered, ended, ready, spun, taken, turnOver } from './turn.js';
import { dialogOpened, typed } from './typing.js';

/** A terminal that answers neither the status query nor DA1 in this time supports nothing. */
const ASKING_MS = 1000;
const NOISE_MS = 500;
/** Inputs that are kept while it boots; later ones are lost. */
const KEPT = 65_536;

/** The next state and the effects, in order. `event.at` never goes back. */
export function step(state: State, event: Event): Step {
  const due = dueBefore(state, event.at);
  return then(due, (now) =>
    now.front.is === 'ended' ? only(now) : happened({ ...now, now: event.at }, event),
  );
}

function dueBefore(state: State, at: number): Step {
  let result = only(state);
  for (;;) {
    const [first] = [...result.state.later].filter((later) => later.at <= at).sort((a, b) => a.at - b.at);
    if (first === undefined) return result;
    result = then(result, (now) =>
      came({ ...now, now: first.at, later: now.later.filter((later) => later !== first) }, first),
    );
  }
}

function happened(state: State, event: Event): Step {
  switch (event.type) {
    case 'start':
      return started(state);
    case 'input':
      return given(state, event.input);
    case 'resize':
      return only({ ...state, rows: event.rows, cols: event.cols });
    case 'hangup':
      return ended(state, 129);
    default:
      return only(state);
  }
}

function started(state: State): Step {
  const { now, switches } = state;
  let next = state;
  if (state.speech === 'asking') next = scheduled(next, { at: now + ASKING_MS, do: 'asking_over' });
  if (switches.footerNoise) next = scheduled(next, { at: now + NOISE_MS, do: 'noise' });
  next = switches.boot > 0 ? scheduled(next, { at: now + switches.boot, do: 'boot_over' }) : ready(next);
  return next.speech === 'asking' ? only(next) : settled(next);
}

/** How status is told has been settled: from here on `--stall` reads nothing. */
function settled(state: State): Step {
  const { stall } = state.switches;
  return { state, effects: stall ? [{ type: 'stall', ms: Number.POSITIVE_INFINITY }] : [] };
}

function given(state: State, input: Input): Step {
  if (input.type === 'answer') return toldBy(state, input.of);
  const { front } = state;
  switch (front.is) {
    case 'boot':
      return only(
        front.kept.length < KEPT ? { ...state, front: { is: 'boot', kept: [...front.kept, input] } } : state,
      );
    case 'dialog': {
      const result = dialogAfter(front.dialog, input);
      return 'answer' in result
        ? dialogAnswered(state, result.answer)
        : only({ ...state, front: { ...front, dialog: result.dialog } });
    }
    case 'composer':
      return typed(state, input);
    default:
      return only(state);
  }
}

/** An answer of the terminal: a DA1 reply that comes first means that program status is not supported. */
function toldBy(state: State, of: 'program_status' | 'da1'): Step {
  if (state.speech !== 'asking') return only(state);
  const speech = of === 'program_status' ? 'program_status' : 'titles';
  return settled({ ...cancelled(state, 'asking_over'), speech });
}

function came(state: State, later: Later): Step {
  switch (later.do) {
    case 'boot_over': {
      const kept = state.front.is === 'boot' ? state.front.kept : [];
      return kept.reduce((result, input) => then(result, (now) => given(now, input)), only(ready(state)));
    }
    case 'asking_over':
      return toldBy(state, 'da1');
    case 'turn_over':
      return turnOver(state);
    case 'spin':
      return only(spun(state));
    case 'noise':
      return only(scheduled({ ...state, noise: state.noise + 1 }, { at: state.now + NOISE_MS, do: 'noise' }));
    case 'hint_over':
      return only({ ...state, leaving: false });
    case 'open_dialog':
      return only(dialogOpened(state));
    case 'relabel':
      return only({ ...state, composer: relabelled(state.composer) });
    case 'job_over':
      return only({ ...state, jobs: state.jobs.filter((job) => job.id !== later.job) });
    case 'take':
      return taken(state, later.text);
  }
}
