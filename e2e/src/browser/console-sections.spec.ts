import { expect, test } from '@playwright/test';
import { openDesk } from './console-desk.ts';
import { enterScreen, screens } from './console-screens.ts';

test('the section of a form that one has gone to is the one that is named, in whatever window', async ({
  page,
}) => {
  const desk = await openDesk();
  try {
    await page.setViewportSize({ width: 1280, height: 800 });
    await enterScreen(page, desk, screens['agent']!);
    const row = page.getByRole('navigation', { name: 'Sections of the form' });
    for (const [width, height] of [
      [1920, 1080],
      [1280, 1400],
      [1280, 800],
      [1100, 800],
      [400, 800],
      [320, 256],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const name of ['Who it is', 'Model', 'Answers', 'Greeting']) {
        await row.getByRole('button', { name, exact: true }).click();
        // What is in sight is told after the next frame.
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
        await expect(row.locator('[aria-current]'), `${width} x ${height}`).toHaveText(name);
        const covered = await row.evaluate((names) => {
          const isBeside = getComputedStyle(names).top !== '0px';
          return (
            !isBeside &&
            document.activeElement!.getBoundingClientRect().top < names.getBoundingClientRect().bottom
          );
        });
        expect(covered, `${name}, ${width} x ${height}`).toBe(false);
      }
    }
  } finally {
    await desk.close();
  }
});
