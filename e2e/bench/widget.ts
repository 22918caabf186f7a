import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { ensureBrowser } from '../src/browser.ts';
import { createAgent, type RunningServer, startServer } from '../src/server.ts';
import { browserKey } from './widget/browser-key.ts';
import { buildPages } from './widget/build-pages.ts';
import { assistantUi, type Contestant, deepChat, parley } from './widget/contestant.ts';
import { judgeFrames } from './widget/frames.ts';
import { writeLongSession } from './widget/long-session.ts';
import { measureLoad } from './widget/measure-load.ts';
import { measureRestore } from './widget/measure-restore.ts';
import { measureStream } from './widget/measure-stream.ts';
import { type PageServer, servePages } from './widget/page-server.ts';
import { reportLoad, reportLongTasks, reportRestore, reportStream } from './widget/report.ts';
import { percent, type Runs } from './widget/table.ts';
import { visit } from './widget/visit.ts';

const rounds = 3;
const restores = 10;
const slowdowns = [1, 4];
/** Two rounds like a mid-range phone, or the bench would take ten minutes. */
const streams = [
  { slowdown: 1, rounds },
  { slowdown: 4, rounds: 2 },
];
/** A page without a widget that drops more frames than this is not alone on the machine. */
const busyShare = 0.01;
const widgetFolder = join(import.meta.dirname, '../../packages/widget');

/**
 * Our widget beside two from npm, in one browser, in the same page, with the same text at the same rate. Each peer is set
 * to the fastest of its own options; between it and the text there is no service, between ours and the text there is.
 */
export const benchWidget = (): Promise<void> => bench(compare);

/** Only ours and only the restoring, ten times: how often a task of it was long. */
export const benchRestore = (): Promise<void> => bench(countLongTasks);

async function bench(
  measure: (
    browser: Browser,
    pages: PageServer,
    contestants: ReadonlyMap<string, Contestant>,
  ) => Promise<void>,
): Promise<void> {
  execFileSync(process.execPath, ['build/build.ts'], { cwd: widgetFolder, stdio: 'pipe', encoding: 'utf8' });
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];
  try {
    await buildPages(folder);
    const contestants = new Map<string, Contestant>();
    const pages = await servePages(folder, (name) => contestants.get(name)?.markup ?? '');
    closing.push(() => pages.close());
    const service = await startServer({ environment: { EGRESS_ALLOW: new URL(pages.url).host } });
    closing.push(() => service.stop());
    const browser = await launch();
    closing.push(() => browser.close());

    const { reference, key } = await writeLongSession(service);
    contestants.set('parley-restored', parley(service.url, key, reference));
    contestants.set('parley', parley(service.url, await streamingKey(service, pages), {}));
    contestants.set('deep-chat', deepChat);
    contestants.set('assistant-ui', assistantUi);
    await measure(browser, pages, contestants);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function compare(
  browser: Browser,
  pages: PageServer,
  contestants: ReadonlyMap<string, Contestant>,
): Promise<void> {
  const { droppedShare, worstMs } = await idleFrames(browser, pages);
  process.stdout.write(
    `Chromium ${browser.version()}, ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)}; ` +
      `the page without a widget drops ${percent(droppedShare)} of its frames, the worst takes ${worstMs.toFixed(0)} ms\n` +
      (droppedShare > busyShare ? 'The machine is busy: every time below is an upper bound.\n' : '') +
      `Medians of ${rounds} alternating rounds, of two the higher; in brackets, how many times ours\n`,
  );
  const peers = ['deep-chat', 'assistant-ui'];
  const alternate = async <Figures>(
    ours: string,
    times: number,
    measure: (contestant: Contestant, path: string) => Promise<Figures>,
  ): Promise<Runs<Figures>> => {
    const paths = [ours, ...peers];
    const runs = new Map(paths.map((path) => [contestants.get(path)!.name, [] as Figures[]]));
    for (let round = 0; round < times; round++) {
      for (let turn = 0; turn < paths.length; turn++) {
        const path = paths[(turn + round) % paths.length]!;
        const contestant = contestants.get(path)!;
        runs.get(contestant.name)!.push(await measure(contestant, path));
      }
    }
    return runs;
  };

  for (const slowdown of slowdowns) {
    const runs = await alternate('parley', rounds, (contestant, path) =>
      measureLoad(browser, contestant, `${pages.url}/${path}`, slowdown),
    );
    reportLoad(runs, slowdown);
  }
  reportRestore(
    await alternate('parley-restored', rounds, (contestant, path) =>
      measureRestore(browser, contestant, `${pages.url}/${path}`),
    ),
  );
  for (const { slowdown, rounds: times } of streams) {
    const runs = await alternate('parley', times, (contestant, path) =>
      measureStream(browser, contestant, pages, path, slowdown),
    );
    reportStream(runs, slowdown, times);
  }
}

async function countLongTasks(
  browser: Browser,
  pages: PageServer,
  contestants: ReadonlyMap<string, Contestant>,
): Promise<void> {
  const longest: number[] = [];
  for (let time = 0; time < restores; time++) {
    const ours = contestants.get('parley-restored')!;
    const { longestTaskMs } = await measureRestore(browser, ours, `${pages.url}/parley-restored`);
    longest.push(longestTaskMs);
  }
  reportLongTasks(longest);
}

/** What this machine does to a page that does nothing. */
const idleFrames = (browser: Browser, pages: PageServer) =>
  visit(browser, async (page) => {
    await page.goto(pages.url);
    await page.waitForTimeout(3_000);
    return judgeFrames(await page.evaluate(() => probe.frames));
  });

const launch = () =>
  chromium.launch({
    executablePath: ensureBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Nobody's fonts or telemetry: what is not on this machine does not exist.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  });

/** A key of an agent whose model is the server that the peers stream from. */
async function streamingKey(service: RunningServer, pages: PageServer): Promise<string> {
  const model = { provider: 'openai-compatible', model: 'bench', baseUrl: `${pages.url}/v1`, apiKey: 'none' };
  return browserKey(service, await createAgent(service, [], { model }));
}
