/** Everything CI runs, in the order CI runs it: `pnpm test`. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser, playwrightCommand } from './browser.ts';
import { readPlaywright, readVitest, type Report } from './report.ts';

interface Step {
  name: string;
  /** Arguments of `node`. */
  args: string[];
  folder?: string;
  environment?: Record<string, string>;
  /** Reads how many tests passed and failed from the runner's report. */
  report?: () => Report;
}
const root = join(import.meta.dirname, '../..');
const reports = mkdtempSync(join(tmpdir(), 'parley-test-'));
const vitestReport = join(reports, 'vitest.json');

const steps: Step[] = [
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '-b'] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'] },
  { name: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
  { name: 'unused code', args: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { name: 'browser build', args: ['--run', 'build'], folder: 'packages/widget' },
  { name: 'console build', args: ['--run', 'build'], folder: 'apps/console' },
  { name: 'demo build', args: ['--run', 'build'], folder: 'apps/demo' },
  {
    name: 'tests',
    args: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${vitestReport}`,
    ],
    report: () => readVitest(vitestReport),
  },
  ...['browser', 'alone'].map((project): Step => {
    const report = join(reports, `${project}.json`);
    return {
      name: `${project} tests`,
      args: [playwrightCommand(), 'test', '--reporter=list,json', `--project=${project}`],
      folder: 'e2e',
      environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      report: () => readPlaywright(report),
    };
  }),
  ...['image', 'nginx', 'mail', 'identity'].map((name): Step => ({
    name: `deployment, ${name}`,
    args: ['src/deploy-check.ts', name],
    folder: 'e2e',
  })),
];

const nothing: Report = { passed: 0, failed: 0, skipped: 0, failures: [], timings: [] };
const total: Report = { ...nothing };
const summary: string[] = [];
console.log(`Node ${process.version}, browser ${ensureBrowser()}`);
for (const step of steps) {
  console.log(`\n== ${step.name}`);
  const started = performance.now();
  const succeeded = (await run(step)) === 0;
  const report = step.report?.() ?? { ...nothing };
  // A step that fails without a failed test (a type error, an unhandled rejection, no report) is one failure.
  if (!succeeded) report.failed = Math.max(report.failed, 1);
  if (step.report && report.passed + report.failed === 0) report.failed = 1;
  total.passed += report.passed;
  total.failed += report.failed;
  total.skipped += report.skipped;
  total.failures = [...total.failures, ...report.failures];
  total.timings = [...total.timings, ...report.timings];
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counts = step.report
    ? ` (${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped)`
    : '';
  summary.push(`${report.failed === 0 ? 'ok    ' : 'FAILED'} ${step.name}${counts} in ${seconds} s`);
}
rmSync(reports, { recursive: true });
console.log(`\n${[...total.timings, ...summary].join('\n')}\n`);
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`,
);
// Last, for whoever sees only the end of what was printed.
for (const failure of total.failures) console.log(`\n${failure}`);
process.exitCode = total.failed === 0 ? 0 : 1;

function run({ args, folder = '.', environment }: Step): Promise<number | null> {
  const child = spawn(process.execPath, args, {
    cwd: join(root, folder),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`, ...environment },
  });
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', (code) => resolve(code)));
}
