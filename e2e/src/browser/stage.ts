import { type Page, test as base } from '@playwright/test';

const wide = { width: 1280, height: 800 };

/** Of this worker, once one of its tests has wanted it. */
let shared: Page | undefined;

/**
 * `stage`: a page for tests to which a mock service is enough, one after the other. Each opens the page of another
 * origin, where nothing is kept of those before it, and saves what a window of its own takes to come and go. Whatever a
 * test adds to every page to come, or to its clock, needs a `page` of its own.
 */
export const test = base.extend<{ stage: Page }>({
  stage: async ({ browser }, use) => {
    shared ??= await browser.newPage();
    await shared.setViewportSize(wide);
    await shared.emulateMedia({
      reducedMotion: 'reduce',
      colorScheme: 'light',
      forcedColors: null,
      media: null,
    });
    await use(shared);
    await shared.context().setOffline(false);
    await shared.unrouteAll({ behavior: 'ignoreErrors' });
    await shared.mouse.move(0, 0);
    // What belongs to it reconnects no more.
    await shared.goto('about:blank');
  },
});
