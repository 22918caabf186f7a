import type { IncomingMessage } from 'node:http';
import { type Browser, chromium, type Page } from '@playwright/test';
import { scrollThrough } from '../src/browser/scroll-through.ts';
import { ensureBrowser } from '../src/browser.ts';
import { openPostgresDatabase } from '../src/postgres-database.ts';
import { createAgent, type RunningServer, startServer } from '../src/server.ts';
import { callJson, open, readUntil } from './http-client.ts';
import { inParallel, percentile, row } from './statistics.ts';

const threads = 10_000;
const messages = 300;
const openings = 15;
const messagesOnScreen = 50;
const password = 'correct horse battery';
const script = [{ steps: [{ say: 'Hello.' }] }];

interface Created {
  readonly sessionId: string;
  readonly continuationToken: string;
}

interface Desk {
  readonly sessions: readonly Created[];
  readonly key: string;
  /** What a signed-in member's browser sends. */
  readonly headers: Record<string, string>;
}

/** How soon a message shows in a colleague's list and on their screen, in one process and across two, and how long a long list takes to open. */
export async function benchInbox(): Promise<void> {
  const server = await startServer();
  const closing: (() => Promise<unknown>)[] = [() => server.stop()];
  try {
    const desk = await openDesk(server, threads);
    process.stdout.write(`${threads} conversations, SQLite, one process\n`);
    await measureChanges(desk, server.url, server.url);
    const browser = await chromium.launch({ executablePath: ensureBrowser() });
    closing.push(() => browser.close());
    await measureScreen(browser, desk, server.url, server.url);
    await measureOpening(browser, server.url, desk);

    const database = await openPostgresDatabase({ fsync: true });
    closing.push(() => database.close());
    const environment = { DATABASE_URL: database.url, SECRET_KEY_BASE: 's'.repeat(48) };
    const first = await startServer({ environment });
    closing.push(() => first.stop());
    const second = await startServer({ environment });
    closing.push(() => second.stop());
    const shared = await openDesk(first, threads);
    process.stdout.write(`${threads} conversations, PostgreSQL, the colleague reads in another process\n`);
    await measureChanges(shared, first.url, second.url);
    await measureScreen(browser, shared, first.url, second.url);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function openDesk(server: RunningServer, count: number): Promise<Desk> {
  const { publishableKey: key, tenantId } = await createAgent(server, script);
  const sessions: Created[] = [];
  await inParallel(count, 16, async (index) => {
    const created = await callJson<Created>(`${server.url}/parley/v1/session`, {
      method: 'POST',
      key,
      body: { message: `I have a question about order ${index}` },
    });
    await readUntil(
      `${server.url}/parley/v1/session/${created.sessionId}/stream`,
      key,
      '"session.waiting"',
      () => undefined,
    );
    sessions.push(created);
  });
  const { token } = await server.settings<{ token: string }>('POST', '/invitations', {
    role: 'agent',
    tenantId,
  });
  const own = { 'x-parley-console': '1' };
  const accepted = await open(`${server.url}/api/v1/settings/invitations/accept`, {
    method: 'POST',
    headers: own,
    body: { token, name: 'Grace', password },
  });
  accepted.resume();
  const [cookie = ''] = accepted.headers['set-cookie'] ?? [];
  return { sessions, key, headers: { ...own, cookie: cookie.split(';')[0] ?? '' } };
}

/** From before a visitor's message is sent until the line of the colleague's list has been read. */
async function measureChanges(
  { sessions, key, headers }: Desk,
  writes: string,
  reads: string,
): Promise<void> {
  const stream = await open(`${reads}/api/v1/settings/inbox/stream`, { method: 'GET', headers });
  const shown = lines(stream);
  const delays: number[] = [];
  for (let count = 0; count < messages; count += 1) {
    const { sessionId, continuationToken } = sessions[(count * 31) % sessions.length]!;
    const sent = performance.now();
    const seen = shown.next(sessionId);
    await callJson(`${writes}/parley/v1/session/${sessionId}`, {
      method: 'POST',
      key,
      body: { continuationToken, message: 'Are you there?' },
    });
    delays.push((await seen) - sent);
    await shown.quiet();
  }
  stream.destroy();
  row('message to a colleague’s list, p50', percentile(delays, 0.5), 'ms', '');
  row('message to a colleague’s list, p99', percentile(delays, 0.99), 'ms', 'under 100');
}

/** From before a visitor's message is sent until it is drawn for a colleague who has the conversation open. */
async function measureScreen(
  browser: Browser,
  { sessions, key, headers }: Desk,
  writes: string,
  reads: string,
): Promise<void> {
  const page = await openConsole(browser, reads, headers);
  const { sessionId, continuationToken } = sessions[0]!;
  await page.goto(`${reads}/console#/inbox/all/${sessionId}`);
  await page.locator('.inbox-log').getByText('I have a question about order').waitFor();
  const delays: number[] = [];
  for (let count = 0; count < messagesOnScreen; count += 1) {
    const message = `Is it there yet, time ${count}?`;
    const drawn = await page.evaluateHandle((text) => {
      const { promise, resolve } = Promise.withResolvers<number>();
      const watcher = new MutationObserver(() => {
        if (!document.querySelector('.inbox-log')?.textContent.includes(text)) return;
        watcher.disconnect();
        requestAnimationFrame(() => resolve(Date.now()));
      });
      watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
      return { promise };
    }, message);
    const sent = Date.now();
    await callJson(`${writes}/parley/v1/session/${sessionId}`, {
      method: 'POST',
      key,
      body: { continuationToken, message },
    });
    delays.push((await drawn.evaluate(({ promise }) => promise)) - sent);
    await drawn.dispose();
    // The end of the turn is drawn, too.
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  row('message on a colleague’s screen, p50', percentile(delays, 0.5), 'ms', '');
  row('message on a colleague’s screen, the slowest', Math.max(...delays), 'ms', 'under 100');
  await page.context().close();
}

/** A page of the console's, in which the member is signed in. */
async function openConsole(browser: Browser, url: string, headers: Desk['headers']): Promise<Page> {
  const context = await browser.newContext();
  const [name = '', value = ''] = (headers['cookie'] ?? '').split('=');
  await context.addCookies([{ name, value, url }]);
  return context.newPage();
}

/** Notes when a line that names a conversation has come. */
function lines(stream: IncomingMessage) {
  let waiting: { readonly id: string; readonly resolve: (at: number) => void } | null = null;
  let last = 0;
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    last = performance.now();
    if (waiting && text.includes(waiting.id)) waiting.resolve(last);
  });
  return {
    next: (id: string) => new Promise<number>((resolve) => (waiting = { id, resolve })),
    /** The end of the turn has been told, too. */
    async quiet() {
      while (performance.now() - last < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}

/** From a click on the inbox until its rows stand there, in a console that is open. */
async function measureOpening(browser: Browser, url: string, { headers }: Desk): Promise<void> {
  const page = await openConsole(browser, url, headers);
  const times: number[] = [];
  for (let count = 0; count < openings; count += 1) {
    await page.goto(`${url}/console#/conversations`);
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
    times.push(
      await page.evaluate(async () => {
        const started = performance.now();
        location.hash = '#/inbox/all';
        while (document.querySelectorAll('.inbox-row').length < 5) await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        return performance.now() - started;
      }),
    );
    await page.goto('about:blank');
  }
  row('opening the inbox in a browser, p50', percentile(times, 0.5), 'ms', '');
  row('opening the inbox in a browser, the slowest', Math.max(...times), 'ms', 'under 300');
  await page.goto(`${url}/console#/inbox/all`);
  await page.locator('.inbox-row').first().waitFor();
  const read = await page.evaluate(async (wanted) => {
    const box = document.querySelector('.inbox-rows')!;
    const started = performance.now();
    const frames: number[] = [];
    let before = started;
    while (box.scrollHeight < wanted * 68 && performance.now() - started < 120_000) {
      box.scrollTop = box.scrollHeight;
      await new Promise(requestAnimationFrame);
      frames.push(performance.now() - before);
      before = performance.now();
    }
    return {
      rows: box.querySelectorAll('li').length,
      known: box.scrollHeight / 68,
      worst: Math.max(...frames),
    };
  }, threads);
  row('conversations that are scrolled through', read.known, '', String(threads));
  row('rows that are drawn of them', read.rows, '', '');
  row('the longest frame meanwhile', read.worst, 'ms', '');
  const { maxRows, longestTaskMs } = await scrollThrough(page, '#/conversations');
  row(
    'the longest task while as many are scrolled through in Conversations',
    longestTaskMs,
    'ms',
    'under 50',
  );
  row('rows that are drawn of them at most', maxRows, '', '');
  await page.context().close();
}
