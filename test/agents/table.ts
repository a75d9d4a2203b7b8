// The table of spec/agents.md from the result files of runs: a row for each cell, a column for each CLI, and what each run
// saw. Always true: a cell that no run measured is empty, never right; a later file replaces what an earlier one says of the
// same CLI's cell, and the date is that of the latest. Text only.
import { readFileSync } from 'node:fs';
import type { Cell, Measured, Verdict } from './cell.js';

/** What one run of one CLI measured, as `--out` has it. */
export interface Run {
  readonly cli: string;
  readonly package: string;
  readonly version: string;
  /** YYYY-MM-DD, UTC. */
  readonly date: string;
  readonly cells: readonly Measured[];
  /** Paths that the mock didn't know. */
  readonly strange: readonly string[];
}

const SHOWN: Readonly<Record<Verdict, string>> = { right: 'yes', wrong: '**no**', 'left out': 'left out' };

/** Foreign text in Markdown. */
const plain = (text: string) => text.replace(/[\\`*_<>|[\]]/g, '\\$&').replace(/\s+/g, ' ');

const row = (fields: readonly string[]) => `| ${fields.join(' | ')} |`;

function merged(runs: readonly Run[]): readonly Run[] {
  const byCli = new Map<string, Run>();
  for (const run of runs) {
    const before = byCli.get(run.cli);
    const kept = (before?.cells ?? []).filter(({ cell }) => !run.cells.some((one) => one.cell === cell));
    byCli.set(run.cli, { ...run, cells: [...kept, ...run.cells] });
  }
  return [...byCli.values()];
}

/** Markdown, in the order of the cells and of the CLIs. */
export function tableOf(runs: readonly Run[], cells: readonly Cell[], clis: readonly string[]): string {
  const all = merged(runs).toSorted((a, b) => clis.indexOf(a.cli) - clis.indexOf(b.cli));
  const found = (run: Run, id: string) => run.cells.find(({ cell }) => cell === id);
  const lines = [
    row(['run', 'package', 'version', 'date', 'right', 'wrong', 'left out']),
    row(Array(7).fill('---')),
    ...all.map((run) => {
      const count = (verdict: Verdict) => run.cells.filter((one) => one.verdict === verdict).length;
      return row([
        run.cli,
        run.package,
        run.version,
        run.date,
        ...(['right', 'wrong', 'left out'] as const).map((one) => String(count(one))),
      ]);
    }),
    '',
    row(['cell', 'what must hold', ...all.map(({ cli }) => cli)]),
    row(Array(all.length + 2).fill('---')),
    ...cells.map(({ id, title }) =>
      row([
        id,
        title,
        ...all.map((run) => {
          const one = found(run, id);
          return one === undefined ? '' : SHOWN[one.verdict];
        }),
      ]),
    ),
  ];
  for (const run of all) {
    lines.push('', `### ${run.cli}: ${run.package} ${run.version}`, '');
    for (const { id } of cells) {
      const one = found(run, id);
      if (one !== undefined)
        lines.push(`- ${id}${one.verdict === 'right' ? '' : ` (${one.verdict})`}: ${plain(one.seen)}`);
    }
  }
  return lines.join('\n');
}

/** The runs of result files, in their order. */
export function readRuns(files: readonly string[]): readonly Run[] {
  return files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Run[]);
}
