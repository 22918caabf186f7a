import { expect, test } from '@playwright/test';
import { chatIn, toBegin } from './chat.ts';
import { startMockService } from './mock-service.ts';

test('however often it is tried by hand, what nobody has heard is sent again by one clock', async ({
  page,
}) => {
  const mock = await startMockService({});
  let asked = 0;
  await page.route(toBegin, (route) => {
    asked++;
    return route.abort();
  });
  await page.addInitScript(() => {
    // Half of every pause is at random: here all of it.
    Math.random = () => 1;
    const { fetch } = globalThis;
    const asking = new Set<Promise<unknown>>();
    const answered = async () => {
      while (asking.size > 0) await Promise.allSettled(asking);
    };
    Object.assign(globalThis, {
      answered,
      fetch: (...call: Parameters<typeof fetch>) => {
        const answer = fetch(...call);
        asking.add(answer);
        const done = () => asking.delete(answer);
        answer.then(done, done);
        return answer;
      },
    });
  });
  await page.clock.install({ time: '2026-11-20T12:00:00Z' });
  await page.goto(mock.url);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  const chat = chatIn(page);
  await expect(page.getByLabel('Menu')).toBeVisible();
  // From now on no time passes but in steps.
  await page.clock.pauseAt('2026-11-20T12:01:00Z');
  await chat.say('Hello');
  const retry = chat.log.getByRole('button', { name: 'Try again' });
  /** In steps, between which what is asked is answered, however long that takes outside of the page. */
  const pass = async (steps: number, isOver: () => Promise<boolean>) => {
    for (let step = 0; step < steps && !(await isOver()); step++) {
      await page.clock.runFor(250);
      await page.evaluate(() => (globalThis as unknown as { answered(): Promise<void> }).answered());
    }
  };
  const failed = async () => {
    await pass(40, () => retry.isVisible());
    await expect(retry).toBeVisible();
  };
  await failed();
  const once = asked;
  for (let time = 0; time < 3; time++) {
    await retry.click();
    await failed();
  }
  expect(asked).toBe(4 * once);
  // The fourth time it waits 40 seconds, then longer.
  await pass(150, () => Promise.resolve(false));
  expect(asked).toBe(4 * once);
  await pass(24, () => Promise.resolve(asked > 4 * once));
  await failed();
  expect(asked).toBe(5 * once);
  await mock.close();
});
