import { expect, type Page, test } from '@playwright/test';
import { startMockService } from './mock-service.ts';
import { enter, states } from './states.ts';

/** How everything in the widget is drawn, its animations at their end. */
const looks = (page: Page) =>
  page.locator('[data-parley]').evaluate((host) =>
    [...host.shadowRoot!.querySelectorAll('*')].map((element) => {
      for (const animation of element.getAnimations()) animation.finish();
      const style = getComputedStyle(element);
      return [
        element.className,
        ...[...style].map((name) => `${name}: ${style.getPropertyValue(name)}`),
      ].join('; ');
    }),
  );

/** The launcher's style stays the first, as in the page; calling it again undoes it. */
const reverseStyles = (page: Page) =>
  page.locator('[data-parley]').evaluate((host) => {
    const root = host.shadowRoot!;
    const [launcher, ...parts] = root.adoptedStyleSheets;
    root.adoptedStyleSheets = [launcher!, ...parts.toReversed()];
  });

for (const name of ['answered', 'several choices', 'menu', 'rated bad', 'files attached', 'consent and form'])
  test(`the order in which styles are loaded decides nothing: ${name}`, async ({ page }) => {
    const state = states[name]!;
    const service = await startMockService(state);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await enter(page, service.url, state);
    // A part that arrives between the two looks is no difference: both are taken again.
    await expect(async () => {
      const before = await looks(page);
      await reverseStyles(page);
      const after = await looks(page);
      await reverseStyles(page);
      expect(after).toEqual(before);
    }).toPass({ timeout: 15_000 });
    await service.close();
  });
