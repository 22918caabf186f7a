import type { Frame, Page } from '@playwright/test';
import { fernhill } from '@parley/demo/fernhill';
import { type Chat, openFernhill } from '../chat.ts';
import { closeLinks, cutLinks } from '../link.ts';
import { type RunningDemo, test as base } from '../running-demo.ts';

interface ResilienceFixtures {
  /** The orders that Fernhill's own server was asked to pay back, as often as it was asked. */
  refunds: string[];
  /** Lets Fernhill's slow look at the roads come to an end; before, it does not. */
  finishRoads: () => void;
}

export const test = base.extend<ResilienceFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
  refunds: async ({}, use) => {
    const refunds: string[] = [];
    const answer = fernhill.answer.bind(fernhill);
    fernhill.answer = async (request) => {
      if (request.route !== 'POST /refunds') return answer(request);
      refunds.push(String(request.body['order']));
      return { status: 200, text: 'Paid back.' };
    };
    await use(refunds);
    fernhill.answer = answer;
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
  finishRoads: async ({}, use) => {
    const finished = Promise.withResolvers<void>();
    const answer = fernhill.answer.bind(fernhill);
    fernhill.answer = async (request) => {
      if (request.route !== 'GET /roads') return answer(request);
      await finished.promise;
      return { status: 200, text: 'The roads are clear.' };
    };
    await use(finished.resolve);
    finished.resolve();
    fernhill.answer = answer;
  },
});

/** The same conversation in another tab of the same browser. */
export async function openSecond(page: Page, demo: { url: string }): Promise<{ page: Page; chat: Chat }> {
  const other = await page.context().newPage();
  return { page: other, chat: await openFernhill(other, demo) };
}

/** Every request to the service fails, and what is open breaks off. */
export async function cutNetwork(page: Page): Promise<void> {
  await page.context().setOffline(true);
  cutLinks();
}
export const goOnline = (page: Page) => page.context().setOffline(false);

/**
 * What is open breaks off, and whatever is done meanwhile finds nobody there. The pages look for the service again at
 * once when it is back, as when a visitor comes back to them. What it did goes on, unless `kill` ends it.
 */
export async function duringOutage(
  page: Page,
  demo: RunningDemo,
  act: () => Promise<void>,
  kill?: () => Promise<void>,
): Promise<void> {
  const toService = ({ origin }: URL) => origin === demo.service;
  await page.context().route(toService, (route) => route.abort());
  // What was on its way before the route is not let through either.
  const open = closeLinks();
  const back = kill?.();
  try {
    await act();
  } finally {
    // Also of a test that fails: what comes after it needs the service.
    await back;
    open();
    await page.context().unroute(toService);
  }
  for (const each of page.context().pages())
    await each.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
}

type Kept = { type: string; data?: { message?: string; parts?: { type: string }[] } };

/** What the service has of a conversation: nothing of it is there twice. */
export async function keptOf(demo: RunningDemo, sessionId: string) {
  const answer = await fetch(`${demo.service}/parley/v1/session/${sessionId}/transcript?format=ndjson`, {
    headers: { authorization: `Bearer ${demo.secretKey}` },
  });
  const events = (await answer.text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Kept);
  return {
    messages: events.flatMap(({ type, data }) => (type === 'message.received' ? [data!.message] : [])),
    files: events.flatMap(({ data }) => data?.parts ?? []).filter(({ type }) => type === 'file').length,
    answers: events.filter(({ type }) => type === 'input.answered').length,
    turns: events.filter(({ type }) => type === 'turn.completed').length,
  };
}

/** The page, or a frame in it, is in the background: it is not drawn, and knows it. Back in the foreground by `show`. */
export async function hide(place: Page | Frame): Promise<void> {
  await place.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    const { requestAnimationFrame } = globalThis;
    globalThis.requestAnimationFrame = () => 0;
    Object.assign(globalThis, {
      showAgain() {
        Reflect.deleteProperty(document, 'hidden');
        globalThis.requestAnimationFrame = requestAnimationFrame;
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      },
    });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
}
export const show = (place: Page | Frame) =>
  place.evaluate(() => (globalThis as unknown as { showAgain(): void }).showAgain());

/** Other tabs know that this one is in sight as soon as it would tell what comes. */
export const isInSight = (page: Page) =>
  page.evaluate(async () => {
    const { held } = await navigator.locks.query();
    return held!.some(({ name }) => name!.endsWith(':in-sight'));
  });

/** Reading and writing storage throws, as in a browser that blocks it. */
export const blockStorage = (page: Page) =>
  page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
  });

/** What this browser keeps for the pages of the demo. */
export async function stored(page: Page): Promise<string[]> {
  const { origins, cookies } = await page.context().storageState({ indexedDB: true });
  return [
    ...origins.flatMap(({ localStorage }) => localStorage.map(({ name }) => name)),
    ...cookies.map(({ name }) => name),
  ];
}
