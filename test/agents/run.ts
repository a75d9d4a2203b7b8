// `npm run e2e:agents -- [CLI...] [--out FILE] [--sends N] [--cells G1,G2]`: runs real agent CLIs in the runtime against a
// mock model and prints what came out, cell by cell; `--table FILE...` prints the table of such results instead. Always true:
// nothing but loopback is reachable (a network namespace of its own, where the system lets us), HOME is fresh, every process
// that it started is ended, and a wrong cell leaves the next one a fresh agent. Exit 1 when a cell is wrong.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SeatRig } from '../support/seat-rig.js';
import { dialogBetween } from './between-cells.js';
import { type Cell, type Measured, measure } from './cell.js';
import { CLIS, type Cli } from './cli.js';
import { Field } from './field.js';
import { arriving, draft, draftErased, inShell, whileAsking, whileWorking } from './floor-cells.js';
import { dialogAnswered, dialogDenied, draftAware, keyBetween, liveness } from './guard-cells.js';
import { handedOver } from './handover-cells.js';
import { installCli } from './install.js';
import { MockModel } from './mock-model.js';
import { commandPrefixes } from './prefix-cells.js';
import * as status from './status-cells.js';
import { type Run, readRuns, tableOf } from './table.js';

/** One after the other in one shell: the order is part of what is measured. */
const plan = (sends: number): readonly Cell[] => [
  status.bareShell,
  status.recordingShown,
  status.firstStart,
  ...arriving,
  status.oneTurn,
  whileWorking,
  status.permission,
  whileAsking,
  status.approved,
  status.interrupted,
  draft,
  draftErased,
  draftAware,
  keyBetween,
  dialogBetween,
  dialogAnswered,
  dialogDenied,
  liveness('off', sends),
  liveness('draft-aware', sends),
  status.left,
  inShell,
  status.editor,
  status.secondStart,
  status.afterRestart,
  status.editorInside,
  status.launched,
  commandPrefixes,
  handedOver,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'agents.json' },
    /** Sends of each liveness cell. */
    sends: { type: 'string', default: '20' },
    /** Ids of cells, the starts always among them; all without it. */
    cells: { type: 'string' },
    /** Print the table of these result files; nothing runs. */
    table: { type: 'boolean', default: false },
  },
});
if (values.table) {
  const ids = CLIS.map(({ id }) => id);
  console.log(tableOf(readRuns(positionals), plan(Number(values.sends)), ids));
  process.exit(0);
}
const unknown = positionals.filter((name) => !CLIS.some(({ id }) => id === name));
if (unknown.length > 0) {
  console.error(`There is no CLI ${unknown.join(', ')}. CLIs: ${CLIS.map(({ id }) => id).join(', ')}.`);
  process.exit(1);
}
const chosen = positionals.length === 0 ? CLIS : CLIS.filter(({ id }) => positionals.includes(id));

const INSIDE = 'OPENFLOOR_AGENTS_INSIDE';
/** Loopback only: as root, else with a user namespace. */
const NAMESPACES = [
  ['unshare', '-n'],
  ['unshare', '-r', '-n'],
];

/** Runs this program again where only loopback is; the exit code, or undefined where the system has no such thing. */
function runInside(): number | undefined {
  const up = 'ip link set lo up && exec "$@"';
  for (const [unshare = '', ...args] of NAMESPACES) {
    const wrapped = [...args, 'sh', '-c', up, 'sh'];
    if (spawnSync(unshare, [...wrapped, 'true']).status !== 0) continue;
    const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    const env = { ...process.env, [INSIDE]: 'namespace' };
    return spawnSync(unshare, [...wrapped, ...again], { stdio: 'inherit', env }).status ?? 1;
  }
  return undefined;
}

/** Agents leave processes behind (Codex's app server): those with this HOME are ours. */
function endLeftovers(home: string): number {
  let ended = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      if (!readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`HOME=${home}`)) continue;
      process.kill(Number(name), 'SIGKILL');
      ended++;
    } catch {}
  }
  return ended;
}

/** Folders of stages that stand. */
const standing = new Set<string>();

function clear(folder: string): number {
  const ended = endLeftovers(join(folder, 'home'));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  standing.delete(folder);
  return ended;
}

/** Who ends a run from outside (a time limit, Ctrl-C) leaves no agent behind either. */
function clearWhenEnded(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const folder of standing) clear(folder);
      process.exit(1);
    });
  }
}

/** A seat with a shell, and the agent's home and work folder, both new. */
interface Stage {
  readonly folder: string;
  readonly rig: SeatRig;
  readonly field: Field;
}

async function setStage(cli: Cli, model: MockModel): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), `openfloor-agents-${cli.id}-`));
  standing.add(folder);
  const place = { home: join(folder, 'home'), cwd: join(folder, 'work') };
  mkdirSync(place.home);
  mkdirSync(place.cwd);
  const rig = await SeatRig.start();
  const env = {
    PATH: [...installCli(cli), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: place.home,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    EDITOR: 'vi',
    VISUAL: 'vi',
    ...cli.seed({ ...place, model: model.url }),
  };
  try {
    const field = await Field.open(cli, rig, model, { cwd: place.cwd, env });
    return { folder, rig, field };
  } catch (error) {
    await rig.close();
    throw error;
  }
}

async function strike({ folder, rig, field }: Stage): Promise<void> {
  field.close();
  await rig.close();
  const ended = clear(folder);
  if (ended > 0) console.log(`${field.cli.id} left ${ended} processes behind, which were ended`);
}

function show(cli: Cli, cell: Cell, { verdict, seen, screen }: Measured): void {
  console.log(`${verdict.padEnd(8)} ${cli.id} ${cell.id} ${cell.title}\n           ${seen}`);
  if (screen) console.log(screen.replace(/^/gm, '         | '));
}

async function runCli(cli: Cli): Promise<Run> {
  const model = await MockModel.start();
  const cells: Measured[] = [];
  let stage = await setStage(cli, model);
  try {
    const wanted = values.cells?.split(',');
    for (const cell of plan(Number(values.sends))) {
      if (wanted && !['S1', 'S3', ...wanted].includes(cell.id)) continue;
      const measured = await measure(cell, stage.field);
      cells.push(measured);
      show(cli, cell, measured);
      if (measured.verdict !== 'wrong') continue;
      // Without a start there is nothing to measure.
      if (cell.id === 'S3') break;
      try {
        await status.startAgain(stage.field);
      } catch (error) {
        console.log(`${cli.id} is put into a new seat: ${error instanceof Error ? error.message : error}`);
        await strike(stage);
        stage = await setStage(cli, model);
        await status.firstStart.run(stage.field);
      }
    }
  } catch (error) {
    // The cells after this one stay unmeasured, which the table shows.
    console.log(`${cli.id} can't go on: ${error instanceof Error ? error.message : error}`);
  } finally {
    await strike(stage);
    await model.stop();
  }
  const { package: name, version } = cli;
  const date = new Date().toISOString().slice(0, 10);
  return { cli: cli.id, package: name, version, date, cells, strange: [...new Set(model.strange)] };
}

async function main(): Promise<number> {
  clearWhenEnded();
  const runs: Run[] = [];
  for (const cli of chosen) {
    runs.push(await runCli(cli));
    writeFileSync(values.out, `${JSON.stringify(runs, null, 2)}\n`);
  }
  const all = runs.flatMap(({ cells }) => cells);
  const wrong = all.filter(({ verdict }) => verdict === 'wrong').length;
  const right = all.filter(({ verdict }) => verdict === 'right').length;
  console.log(
    `${right} passed, ${wrong} failed${all.length > right + wrong ? `, ${all.length - right - wrong} skipped` : ''}`,
  );
  return wrong > 0 || right === 0 ? 1 : 0;
}

if (process.env[INSIDE] === undefined) {
  // Installed before the way out is closed.
  for (const cli of chosen) installCli(cli);
  const code = runInside();
  if (code !== undefined) process.exit(code);
  console.log(
    `no network namespace here: ${fileURLToPath(import.meta.url)} relies on the CLIs' configuration`,
  );
}
process.exit(await main());
