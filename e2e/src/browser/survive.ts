import type { Page } from '@playwright/test';
import { fernhill } from '@parley/demo/fernhill';
import { type Chat, openFernhill } from './chat.ts';
import { test as base } from './running-demo.ts';

interface Survival {
  /** The orders that Fernhill's own server was asked to pay back, as often as it was asked. */
  refunds: string[];
  /** Lets Fernhill's slow look at the roads come to an end; before, it does not. */
  finishRoads: () => void;
}

export const test = base.extend<Survival>({
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
export const cutNetwork = (page: Page) => page.context().setOffline(true);
export const mendNetwork = (page: Page) => page.context().setOffline(false);

/** The page is in the background: it is not drawn, and knows it. Back in the foreground by `show`. */
export async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    const { requestAnimationFrame } = globalThis;
    globalThis.requestAnimationFrame = () => 0;
    Object.assign(globalThis, {
      showAgain() {
        Reflect.deleteProperty(document, 'hidden');
        globalThis.requestAnimationFrame = requestAnimationFrame;
        document.dispatchEvent(new Event('visibilitychange'));
      },
    });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}
export const show = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { showAgain(): void }).showAgain());

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
