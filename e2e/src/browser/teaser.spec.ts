import { expect, type Page } from '@playwright/test';
import { chatIn } from './chat.ts';
import { test } from './embedding/scene.ts';
import { parley } from './parley.ts';
import { duringOutage } from './resilience/resilience.ts';
import { violations } from './violations.ts';

const text = 'Planning a trip? I can help you choose a bike.';
const teaserIn = (page: Page) => page.getByRole('status').filter({ hasText: text });
/** Has the panel loaded, closed, and waits until it would have shown the teaser. */
const loadPanel = async (page: Page) => {
  const offering = page.waitForResponse('**/assets/teaser-*.js');
  await page.getByRole('button', { name: 'Chat with Fern' }).hover();
  await page.evaluate(
    async (address) => {
      // What has been imported again has run, and what it shows comes with the next frame.
      await import(address);
      for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    },
    (await offering).url(),
  );
};

test('it comes beside the launcher, moves nothing, is in nobody’s way, stores nothing, and opens the chat once', async ({
  page,
  context,
  openScene,
}) => {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const { name } of list.getEntries()) console.error(`the page has moved: ${name}`);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await openScene('teaser');
  const teaser = teaserIn(page);
  await expect(teaser).toBeVisible();
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  const box = (await teaser.boundingBox())!;
  const corner = (await launcher.boundingBox())!;
  expect(box.y + box.height).toBeLessThanOrEqual(corner.y);
  expect(box.x + box.width).toBeCloseTo(corner.x + corner.width, 0);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  const { origins, cookies } = await context.storageState();
  expect([origins, cookies, await page.evaluate(() => sessionStorage.length)]).toEqual([[], [], 0]);
  expect(await violations(page, '[data-parley]')).toEqual([]);

  for (const name of [text, 'Close']) {
    const button = teaser.getByRole('button', { name });
    const fill = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
    await page.mouse.move(1, 1);
    const atRest = await fill();
    await button.hover();
    await expect.poll(fill).not.toBe(atRest);
    const hovered = await fill();
    await page.mouse.down();
    await expect.poll(fill).not.toBe(hovered);
    await page.mouse.move(1, 1);
    await page.mouse.up();
  }
  await teaser.getByRole('button', { name: text }).click();
  await expect(chatIn(page).field).toBeFocused();
  await expect(teaser).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(launcher).toBeFocused();
  await openScene('teaser');
  await loadPanel(page);
  await expect(teaser).toHaveCount(0);
});

for (const [how, dismiss] of Object.entries({
  'its button': (page: Page) => teaserIn(page).getByRole('button', { name: 'Close' }).click(),
  Escape: (page: Page) => teaserIn(page).getByRole('button', { name: text }).press('Escape'),
}))
  test(`sent away with ${how}, it does not come again, and the focus is on the launcher`, async ({
    page,
    openScene,
  }) => {
    await openScene('teaser');
    await expect(teaserIn(page)).toBeVisible();
    await dismiss(page);
    await expect(teaserIn(page)).toHaveCount(0);
    const launcher = page.getByRole('button', { name: 'Chat with Fern' });
    await expect(launcher).toBeFocused();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await openScene('teaser');
    await loadPanel(page);
    await expect(teaserIn(page)).toHaveCount(0);
    await launcher.click();
    await expect(chatIn(page).field).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(teaserIn(page)).toHaveCount(0);
  });

test('away before it could come, the service has it come later, and nothing is thrown', async ({
  page,
  demo,
}) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  // The panel is asked for by itself, but not before there is nobody to ask.
  const away = Promise.withResolvers<void>();
  await page.route('**/assets/panel-*', async (route) => {
    await away.promise;
    await route.fallback();
  });
  await page.goto(`${demo.url}/scenes/teaser.html`);
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  await expect(launcher).toBeVisible();
  await duringOutage(page, demo, async () => {
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/panel-'));
    away.resolve();
    await failed;
    await expect(launcher).toBeVisible();
    await expect(teaserIn(page)).toHaveCount(0);
  });
  await launcher.hover();
  await expect(teaserIn(page)).toBeVisible();
  await teaserIn(page).getByRole('button', { name: text }).click();
  await expect(chatIn(page).field).toBeFocused();
  expect(errors).toEqual([]);
});

test('an empty option takes the agent’s text; the page’s say over the launcher holds for it too', async ({
  page,
  demo,
  openScene,
}) => {
  await demo.configure({ widget: { teaser: 'Questions about the workshop?' } });
  try {
    await openScene('calm');
    await page.evaluate(() => {
      const { parley: call } = globalThis;
      const { key } = document.querySelector<HTMLElement>('script[data-key]')!.dataset;
      return call('init', { id: 'second', key, name: 'Ask Fern', teaser: '' });
    });
    const teaser = page.getByRole('button', { name: 'Questions about the workshop?' });
    await expect(teaser).toBeVisible();
    await parley(page, 'second.hide');
    await expect(teaser).toBeHidden();
    await parley(page, 'second.destroy');
    await expect(teaser).toHaveCount(0);
  } finally {
    await demo.configure({ widget: { teaser: null } });
  }
});

test('on a small Arabic page it stays inside the window, without motion where none is wanted', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.addInitScript(() => {
    (globalThis as { parleySettings?: object }).parleySettings = {
      teaser: 'هل تخطط لرحلة؟ يمكنني مساعدتك في اختيار دراجة تناسبك وتناسب الطريق.',
    };
  });
  await openScene('rtl');
  const teaser = page.getByRole('status').filter({ hasText: 'هل تخطط' });
  await expect(teaser).toBeVisible();
  const box = (await teaser.boundingBox())!;
  expect(box.x).toBe(20);
  expect(box.x + box.width).toBeLessThanOrEqual(300);
  expect(await teaser.evaluate((element) => getComputedStyle(element).animationName)).toBe('none');
});
