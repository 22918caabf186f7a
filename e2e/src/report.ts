import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const root = join(import.meta.dirname, '../..');

/** What a runner of tests reported. */
export interface Report {
  passed: number;
  failed: number;
  skipped: number;
  /** Names of the failed tests, each with the beginning of its first error. */
  failures: string[];
  /** What tests measured with a stopwatch, each with where its film is. */
  timings: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

export function readVitest(reportFile: string): Report {
  const report = read<VitestReport>(reportFile);
  return {
    passed: report.numPassedTests ?? 0,
    failed: report.numFailedTests ?? 0,
    skipped: report.numPendingTests ?? 0,
    timings: [],
    failures: (report.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return message && failed.length === 0
        ? [describe(file, message)]
        : failed.map((test) => describe(`${file} › ${test.fullName}`, test.failureMessages[0]));
    }),
  };
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    file: string;
    line: number;
    ok: boolean;
    tests: { results: { error?: { message?: string }; attachments?: Attachment[] }[] }[];
  }[];
}

interface Attachment {
  name: string;
  path?: string;
  /** In base64. */
  body?: string;
}

export function readPlaywright(file: string): Report {
  const report = read<{
    stats: { expected: number; unexpected: number; skipped: number };
    suites: PlaywrightSuite[];
  }>(file);
  const failuresOf = ({ suites = [], specs = [] }: PlaywrightSuite): string[] => [
    ...specs
      .filter(({ ok }) => !ok)
      .map((spec) =>
        describe(
          `${spec.file}:${spec.line} › ${spec.title}`,
          spec.tests.flatMap(({ results }) => results).find(({ error }) => error)?.error?.message,
        ),
      ),
    ...suites.flatMap(failuresOf),
  ];
  return {
    passed: report.stats?.expected ?? 0,
    failed: report.stats?.unexpected ?? 0,
    skipped: report.stats?.skipped ?? 0,
    failures: (report.suites ?? []).flatMap(failuresOf),
    timings: (report.suites ?? []).flatMap(timingsOf),
  };
}

function timingsOf({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const timed = specs.flatMap(({ title, tests }) =>
    tests
      .flatMap(({ results }) => results.at(-1)?.attachments ?? [])
      .flatMap(({ name, body, path }) => {
        if (name === 'stopwatch' && body !== undefined)
          return [`${title}\n${Buffer.from(body, 'base64').toString()}`];
        return name === 'film' && path !== undefined ? [`Its film: ${relative(root, path)}`] : [];
      }),
  );
  return [...timed, ...suites.flatMap(timingsOf)];
}

function describe(test: string, error = 'no error was reported'): string {
  return `${test}\n${stripVTControlCharacters(error).slice(0, 400)}`;
}

/** A runner that died leaves no report: nothing passed, and its exit code makes it a failure. */
function read<Format>(file: string): Partial<Format> {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
