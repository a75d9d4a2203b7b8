// `npm run bench -- [BAR...] [--quick] [--bare-only] [--out FILE]`: measures the named bars (all without a name), prints
// a table and writes the rows as JSON. Exit 1 when a bar fails. Nothing else should run on the machine meanwhile.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { auditBar } from './audit-feed.js';
import { type Bar, runBar } from './bar.js';
import { bulkBar } from './bulk.js';
import { prepareChildren } from './child.js';
import { credentialBar } from './credential.js';
import { decisionBar } from './decision.js';
import { echoBar } from './echo.js';
import { exitBar } from './exit.js';
import { exactly, formatTable, type Row, verdict } from './figure.js';
import { floodBar } from './flood.js';
import { injectionBar, waitingBar } from './injection.js';
import { livenessBar } from './liveness.js';
import { memoryBar } from './memory.js';
import { pageBar } from './page.js';
import { shepherdBar } from './shepherd.js';
import { snapshotBar } from './snapshot.js';
import { slowReaderBar, stalledChildBar } from './stalled.js';

const BARS: readonly Bar[] = [
  echoBar,
  bulkBar,
  floodBar,
  injectionBar,
  waitingBar,
  livenessBar,
  memoryBar,
  decisionBar,
  snapshotBar,
  auditBar,
  exitBar,
  stalledChildBar,
  slowReaderBar,
  credentialBar,
  pageBar,
  shepherdBar,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    'bare-only': { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench.json' },
  },
});
const wanted = positionals.map((name) => name.toUpperCase());
const unknown = wanted.filter((name) => !BARS.some((bar) => bar.id === name));
if (unknown.length > 0) {
  console.error(`There is no bar ${unknown.join(', ')}. Bars: ${BARS.map((bar) => bar.id).join(', ')}.`);
  process.exit(1);
}
const chosen = wanted.length === 0 ? BARS : BARS.filter((bar) => wanted.includes(bar.id));
const folder = mkdtempSync(join(tmpdir(), 'openfloor-bench-'));
const children = prepareChildren(folder);
const rows: Row[] = [];
const machine = `${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
console.log(`${machine}, load ${loadavg()[0]?.toFixed(2)}${values.quick ? ', quick: not to judge by' : ''}`);
try {
  for (const bar of chosen) {
    console.log(`${bar.id}  ${bar.title}`);
    try {
      const options = { children, quick: values.quick, bareOnly: values['bare-only'] };
      rows.push(...(await runBar(bar, { ...options, say: (line) => console.log(`    ${line}`) })));
    } catch (error) {
      const note = error instanceof Error ? error.message : String(error);
      rows.push({ bar: bar.id, what: 'did not finish', figure: 1, unit: '', limit: exactly(0), note });
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${formatTable(rows)}`);
const result = {
  at: new Date().toISOString(),
  machine,
  load: loadavg(),
  quick: values.quick,
  rows: rows.map((row) => ({ ...row, verdict: verdict(row) })),
};
writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
const failed = rows.filter((row) => verdict(row) === 'FAIL').length;
console.log(`\n${rows.length - failed} rows hold, ${failed} fail; ${values.out}`);
process.exit(failed > 0 ? 1 : 0);
