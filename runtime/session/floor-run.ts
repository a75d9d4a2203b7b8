// Runs the floor of one occupant: what happens in the session becomes events of the floor machine, and its effects are
// performed in their order, in the same turn. Always true: the audit record and the outbox row are committed before the
// first byte; nothing is awaited between a decision and its write; one timer serves the machine. It decides nothing.

import type { Reason } from '../../protocol/reason.js';
import { countSignal, foregroundView, NO_SIGNALS, statusFacts } from '../floor/adopt.js';
import type { Facts, FloorEffect, FloorEvent } from '../floor/event.js';
import { Floor } from '../floor/floor.js';
import { lifecycleRefusal } from '../floor/mode.js';
import type { Fence } from '../floor/plan.js';
import type { Request } from '../floor/request.js';
import type { Settings, View } from '../floor/view.js';
import { presenceOf, type Segment } from '../input/segment.js';
import type { LineModes } from '../pty/port.js';
import type { WatchPack } from './agent-watch.js';
import type { Client } from './client.js';
import type { FloorLedger } from './floor-ledger.js';
import { FloorTold } from './floor-told.js';
import { type Occupant, type OccupantChange, tenureOf } from './occupant.js';

export interface FloorRunPort {
  readonly ledger: FloorLedger;
  readonly lineModes: LineModes;
  /** Milliseconds since the epoch. */
  now(): number;
  settings(): Settings;
  seatKind(): View['seatKind'];
  mode(): View['mode'];
  /** Whether something stops all automation of this seat. */
  gate(): View['gate'];
  auditSync: 'normal' | 'full';
  /** Everything the machine does, in order. */
  told(effect: FloorEffect): void;
}

export class FloorRun<Pack extends WatchPack = WatchPack> {
  readonly floor: Floor;
  readonly #clients: FloorTold;
  #count = NO_SIGNALS;
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;
  #reading = false;
  #readingTermios = false;
  #ended = false;
  /** Whether this tenure was given something to do: it works or has worked, or Enter was pressed. */
  #begun: { readonly tenure: string | undefined; readonly yes: boolean } = { tenure: undefined, yes: false };

  constructor(
    readonly occupant: Occupant<Pack>,
    readonly port: FloorRunPort,
  ) {
    this.floor = new Floor({
      auditSync: port.auditSync,
      view: {
        session: this.#sessionView(),
        seatKind: port.seatKind(),
        mode: port.mode(),
        settings: port.settings(),
        gate: port.gate(),
      },
    });
    this.#clients = new FloorTold(occupant.session, this.floor);
  }

  /** A client has attached. */
  joined(client: Client): void {
    this.#clients.greet(client);
  }

  submit(request: Request): void {
    this.step({ kind: 'submit', request });
  }

  step(event: FloorEvent): void {
    if (this.#ended && event.kind !== 'facts') return;
    this.#perform(this.floor.step(event, this.port.now()));
    this.#arm();
  }

  /** Hot path of output: it can only make a decision stricter. */
  received(offset: number): void {
    this.floor.received(offset);
  }

  modesChanged(): void {
    const { bracketedPaste, kittyFlags } = this.occupant.session.scanner.modes;
    const { view } = this.floor;
    if (view.bracketedPaste === bracketedPaste && view.kittyFlags === kittyFlags) return;
    this.#facts({ bracketedPaste, kittyFlags });
  }

  changed(change: OccupantChange): void {
    switch (change.kind) {
      case 'status': {
        const { status } = change;
        this.#facts({
          session: this.#sessionView(),
          settings: this.port.settings(),
          ledger: this.occupant.ledger.kind,
          background: status.background ?? 'none',
        });
        this.#count = countSignal(this.#count, status);
        this.step({ kind: 'status', ...statusFacts(status, this.#count) });
        return;
      }
      case 'operator':
        return this.#operator(change.segments);
      case 'presence': {
        const { composing } = this.occupant.presence;
        const until = composing.size > 0 ? Math.max(...composing.values()) : undefined;
        if (until !== this.floor.view.presence.composingUntilAt)
          this.step({ kind: 'composing', untilAt: until });
        if (this.floor.view.ledger !== this.occupant.ledger.kind)
          this.#facts({ ledger: this.occupant.ledger.kind });
        return;
      }
      case 'reading':
        return this.step({
          kind: 'reading',
          reading: this.occupant.screen.view(change.reading, tenureOf(this.occupant.status)),
        });
    }
  }

  settingsChanged(): void {
    this.#facts({ settings: this.port.settings(), seatKind: this.port.seatKind() });
  }

  /** The gate of the seat has moved. */
  gateChanged(): void {
    this.#facts({ gate: this.port.gate() });
  }

  /** The occupant has another place: its seat's mode and settings count from now on. */
  moved(): void {
    this.#facts({
      session: this.#sessionView(),
      settings: this.port.settings(),
      seatKind: this.port.seatKind(),
      gate: this.port.gate(),
    });
    this.step({ kind: 'mode', mode: this.port.mode().desired });
  }

  /** The leader is gone: what waits ends, what was being typed is indeterminate. */
  end(): void {
    const { generation } = this.occupant.session;
    this.#facts({ session: { kind: 'ended', generation } });
    this.#ended = true;
    this.#timer?.cancel();
    this.#clients.end();
  }

  #facts(facts: Facts): void {
    this.#perform(this.floor.step({ kind: 'facts', facts }, this.port.now()));
    this.#arm();
  }

  #sessionView(): View['session'] {
    const { session, status } = this.occupant;
    const tenure = tenureOf(status);
    const before = this.#begun.tenure === tenure && this.#begun.yes;
    this.#begun = { tenure, yes: before || status.turns > 0 || status.state === 'working' };
    return { kind: 'live', generation: session.generation, tenure, freshTenure: !this.#begun.yes };
  }

  #begins(): void {
    if (this.#begun.yes) return;
    this.#begun = { tenure: tenureOf(this.occupant.status), yes: true };
    this.#facts({ session: this.#sessionView() });
  }

  /** Why what runs may not be ended or replaced now; undefined: it may. A mode that is only desired counts, too. */
  lifecycleRefused(): Reason | undefined {
    const view = this.#sessionView();
    const { effective, desired } = this.port.mode();
    return lifecycleRefusal([effective, desired], view.kind !== 'live' || view.freshTenure);
  }

  #operator(segments: readonly Segment[]): void {
    const { ledger } = this.occupant;
    if (this.floor.view.ledger !== ledger.kind) this.#facts({ ledger: ledger.kind });
    for (const segment of segments) {
      const sign = presenceOf(segment);
      if (sign === 'none') continue;
      const input = sign === 'activity' ? 'pointer' : segment.key === 'enter' ? 'enter' : 'key';
      if (input === 'enter') this.#begins();
      this.step({ kind: 'operator', input });
    }
  }

  #perform(effects: readonly FloorEffect[]): void {
    for (const effect of effects) {
      // Told first: what an effect sets off is told after it. A grant is none until it is on record.
      // An end is stored first, since what couldn't be kept has ended otherwise.
      if (effect.kind === 'ended') {
        if (effect.fence) this.occupant.screen.owns(undefined);
        const ending = this.port.ledger.ended(this.occupant.session, effect, this.floor.view.mode);
        this.port.told({ ...effect, ending });
        continue;
      }
      if (effect.kind !== 'grant') this.port.told(effect);
      this.#do(effect);
    }
    this.port.ledger.flush();
    if (effects.length > 0) this.#clients.moved();
  }

  #do(effect: Exclude<FloorEffect, { kind: 'ended' }>): void {
    const { ledger } = this.port;
    switch (effect.kind) {
      case 'accepted':
        return ledger.accepted(this.occupant.session, effect.request);
      case 'grant': {
        const recorded = ledger.granted(this.occupant.session, effect);
        if (recorded) this.occupant.screen.owns(effect.request);
        if (recorded) this.port.told(effect);
        return this.step({ kind: recorded ? 'recorded' : 'audit_unavailable', fence: effect.fence });
      }
      case 'commit_intent':
        ledger
          .intend(this.occupant.session, effect.request)
          .then((committed) =>
            this.step({ kind: committed ? 'intent_committed' : 'intent_failed', id: effect.request.id }),
          );
        return;
      case 'write_paste':
        return this.#write(effect.fence, effect.bytes, (bytes, complete) =>
          this.step({ kind: 'paste_written', fence: effect.fence, bytes, complete }),
        );
      case 'write_enter':
        this.#begins();
        return this.#write(effect.fence, effect.bytes, (_bytes, taken) =>
          this.step({ kind: 'enter_written', fence: effect.fence, taken }),
        );
      case 'cut_paste':
        return this.occupant.session.writer.revoke();
      case 'upgraded':
        return ledger.upgraded(effect.request);
      case 'alert':
        return ledger.alert(this.occupant.session, effect);
      case 'mode_effective':
        return ledger.modeEffective(this.occupant.session, effect.mode);
      case 'read_foreground':
        return this.#facts({ foreground: foregroundView(this.occupant.watch.foreground()) });
      case 'read_termios':
        return this.#readTermios();
      case 'duplicate':
      case 'rejected':
      case 'waits':
      case 'group_waits':
      case 'withdraw_answer':
        return;
    }
  }

  #write(fence: Fence, bytes: Uint8Array, done: (written: number, complete: boolean) => void): void {
    const holds = () => {
      const current = this.floor.fence;
      return current?.epoch === fence.epoch && current.generation === fence.generation;
    };
    const progress = (written: number) =>
      this.step({ kind: 'paste_written', fence, bytes: written, complete: false });
    this.occupant.session.writer.grant({ bytes, holds, progress, done });
  }

  #readTermios(): void {
    if (this.#readingTermios) return;
    this.#readingTermios = true;
    const path = this.occupant.session.pty?.ttyPath ?? '';
    void this.port.lineModes.renew(path).then((mode) => {
      this.#readingTermios = false;
      if (mode && !this.#ended) {
        this.#facts({ termios: { kind: mode.icanon ? 'canonical' : 'raw', at: this.port.now() } });
      }
    });
  }

  /** A decision needs a current reading; output that has settled brings one by itself, a quiet screen doesn't. */
  #wantReading(): void {
    const { session } = this.occupant;
    const known = session.screen.reading;
    if (this.#reading || (known !== undefined && known.offset === session.ring.end)) return;
    this.#reading = true;
    session.screen.read().then(
      () => {
        this.#reading = false;
      },
      () => {
        this.#reading = false;
      },
    );
  }

  #arm(): void {
    if (this.floor.wantsReading) this.#wantReading();
    const at = this.#ended ? undefined : this.floor.nextDeadline();
    const armed = this.#timer?.at;
    // A timer that is early only judges once more; a new one for every key would cost the key its echo.
    if (at !== undefined && armed !== undefined && armed <= at) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (at === undefined) return;
    const cancel = this.occupant.session.port.clock.after(Math.max(0, at - this.port.now()), () => {
      this.#timer = undefined;
      this.step({ kind: 'tick' });
    });
    this.#timer = { at, cancel };
  }
}
