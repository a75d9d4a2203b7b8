// The two tables of the guard, one vector per cell, and the body that sets a mode.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  askIn,
  enabledBit,
  GUARD_MODES,
  type GuardMode,
  type GuardSetting,
  MODE_TABLE,
  type ModeVerdict,
  parseMode,
  readGuardSetting,
  readsComposer,
  whoMay,
} from '../../../runtime/floor/mode.js';
import type { Identity, Origin } from '../../../runtime/floor/request.js';
import { cases } from './vector.js';

const test = suite('floor/mode');

interface ModeCase {
  readonly mode: GuardMode;
  readonly origin: Origin;
  readonly urgent: boolean;
  readonly freshTenure: boolean;
  readonly identity: Identity;
  readonly ask?: ModeVerdict;
  readonly composer?: string;
}
const modeCases = cases<ModeCase>('guard/mode.json', [
  'mode',
  'origin',
  'urgent',
  'freshTenure',
  'identity',
  'ask',
  'composer',
]);
for (const one of modeCases) {
  test(`guard/mode.json: ${one.description}`, () => {
    if (one.composer !== undefined) {
      assert.is(MODE_TABLE[one.mode].composer, one.composer);
      assert.is(readsComposer(one.mode), one.composer === 'recognised_empty');
    } else {
      assert.equal(askIn(one.mode, one, one.freshTenure), one.ask);
    }
  });
}

test('every mode has a vector for each of its cells', () => {
  for (const mode of GUARD_MODES) {
    const mine = modeCases.filter((one) => one.mode === mode);
    assert.is(mine.filter((one) => one.composer !== undefined).length, 1, mode);
    const asked = new Set(
      mine
        .filter((one) => one.ask)
        .map((one) => `${one.origin} ${one.urgent} ${one.freshTenure} ${one.identity.kind}`),
    );
    assert.is(asked.size, 11, mode);
  }
});

interface WhoCase {
  readonly origin: Origin;
  readonly identity: Identity;
  readonly seat: string;
  readonly refused: string | null;
}
for (const one of cases<WhoCase>('guard/who.json', ['origin', 'identity', 'seat', 'refused'])) {
  test(`guard/who.json: ${one.description}`, () => {
    assert.is(whoMay(one.origin, one.identity, one.seat) ?? null, one.refused);
  });
}

interface SettingCase {
  readonly body: Record<string, unknown>;
  readonly expect: GuardSetting;
}
for (const one of cases<SettingCase>('guard/setting.json', ['body', 'expect'])) {
  test(`guard/setting.json: ${one.description}`, () => {
    assert.equal(readGuardSetting(one.body), one.expect);
  });
}

test('every protecting mode is on for a reader that knows only on and off', () => {
  assert.equal(
    GUARD_MODES.filter((mode) => !enabledBit(mode)),
    ['off'],
  );
});

test('a mode is named exactly', () => {
  assert.is(parseMode('openrig-urgent'), 'openrig-urgent');
  assert.is(parseMode('shepherd-urgent'), 'openrig-urgent');
  assert.is(parseMode('OFF'), undefined);
  assert.is(parseMode('constructor'), undefined);
});

test.run();
