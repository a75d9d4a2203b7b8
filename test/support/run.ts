// Runs every compiled *.test.js below dist/test, each in a process of its own, and prints `N passed, N failed` as the
// last line. A file that runs no test, leaves a handle open or prints no summary is a failure: uvu reports none of them.
// Arguments: parts of paths; only files whose path contains one of them are run.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const FILE_LIMIT_MS = 180_000;
/** A run that is over but whose process lives on has an open handle. */
const HANDLE_LIMIT_MS = 10_000;
/** Rooms of tests that `npm test` leaves to their own commands. */
const APART = ['browser', 'agents', 'bench'];

interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly problem: string | undefined;
  readonly output: string;
  readonly elapsedMs: number;
}

function findTests(wanted: readonly string[]): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.js'),
  );
  const chosen = files.filter((file) =>
    wanted.length > 0
      ? wanted.some((part) => file.includes(part))
      : !APART.includes(file.split(sep)[0] ?? ''),
  );
  return chosen.sort().map((file) => join(root, file));
}

function count(output: string, label: string): number | undefined {
  const match = new RegExp(`^ {2}${label}:? +(\\d+)`, 'm').exec(output);
  return match ? Number(match[1]) : undefined;
}

function judge(file: string, output: string, exit: string, hung: boolean, elapsedMs: number): FileResult {
  const total = count(output, 'Total');
  const passed = count(output, 'Passed') ?? 0;
  const skipped = count(output, 'Skipped') ?? 0;
  // uvu leaves skipped tests out of its total.
  const failed = (total ?? 0) - passed;
  let problem: string | undefined;
  if (hung) problem = total === undefined ? 'did not finish in time' : 'left a handle open';
  else if (total === undefined || total === 0) problem = `ran no test (${exit})`;
  else if (exit !== 'code 0' && failed === 0) problem = `ended with ${exit}`;
  return { file, passed, failed, skipped, problem, output, elapsedMs };
}

function runFile(file: string): Promise<FileResult> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ['--enable-source-maps', file], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
    let output = '';
    let hung = false;
    const stop = () => {
      hung = true;
      child.kill('SIGKILL');
    };
    let limit = setTimeout(stop, FILE_LIMIT_MS);
    const collect = (chunk: Buffer) => {
      const before = output.length;
      output += chunk.toString('utf8');
      if (count(output.slice(Math.max(0, before - 200)), 'Skipped') !== undefined) {
        clearTimeout(limit);
        limit = setTimeout(stop, HANDLE_LIMIT_MS);
      }
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      const exit = signal ? `signal ${signal}` : `code ${code}`;
      resolve(judge(file, output, exit, hung, performance.now() - startedAt));
    });
  });
}

const isBad = (result: FileResult) => result.failed > 0 || result.problem !== undefined;

function tell(result: FileResult, file: string): void {
  const bad = isBad(result);
  console.log(
    `${bad ? 'FAIL' : 'ok  '} ${relative(root, file)} ${result.passed} passed ${(result.elapsedMs / 1000).toFixed(1)} s` +
      (result.problem ? `: ${result.problem}` : ''),
  );
  if (bad) console.log(result.output.trimEnd());
}

const files = findTests(process.argv.slice(2));
const results = new Map<string, FileResult>();
let next = 0;
async function lane(): Promise<void> {
  while (next < files.length) {
    const file = files[next++] as string;
    const result = await runFile(file);
    results.set(file, result);
    tell(result, file);
  }
}
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));

// A file that failed beside others is run once more alone: what a busy neighbour does to a time limit is no verdict. Both
// runs are shown, and only the second counts.
for (const [file, first] of results) {
  if (!isBad(first)) continue;
  console.log(`again, alone: ${relative(root, file)}`);
  const second = await runFile(file);
  results.set(file, second);
  tell(second, file);
}

const sum = (pick: (result: FileResult) => number) =>
  [...results.values()].reduce((total, result) => total + pick(result), 0);
const failed = sum((result) => result.failed + (result.problem !== undefined && result.failed === 0 ? 1 : 0));
const passed = sum((result) => result.passed);
const skipped = sum((result) => result.skipped);
if (passed === 0 && failed === 0) console.log('No test ran.');
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
