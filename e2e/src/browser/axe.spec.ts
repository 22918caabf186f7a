import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type CDPSession, expect, type Page, test } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { clipped, faint, offGrid, smallTargets, zoomingFields } from './measure.ts';
import { startMockService } from './mock-service.ts';
import { enter, states } from './states.ts';

const sizes = [
  [320, 200],
  [320, 480],
  [360, 640],
  [768, 1024],
  [1280, 800],
] as const;

async function measure(page: Page, devtools: CDPSession): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {
    'targets under 24 px': await smallTargets(page, 24),
    'off the grid': await offGrid(page),
  };
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    found[`cut off at ${width}×${height}`] = await clipped(page);
  }
  for (const media of [
    { colorScheme: 'light' },
    { colorScheme: 'dark' },
    { forcedColors: 'active' },
  ] as const) {
    await page.emulateMedia(media);
    found[`faint in ${Object.values(media).join('')}`] = await faint(page);
  }
  // Text at 200 %, as browsers let their users set it.
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  found['cut off at 200 %'] = await clipped(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } });
  await page.setViewportSize({ width: 360, height: 640 });
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 });
  found['targets under 44 px for a finger'] = await smallTargets(page, 44);
  found['fields under 16 px for a finger'] = await zoomingFields(page);
  return Object.fromEntries(Object.entries(found).filter(([, each]) => each.length > 0));
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

for (const [name, state] of Object.entries(states)) {
  test(`nothing is in the way of eyes, fingers and assistive technology: ${name}`, async ({ page }) => {
    const mock = await startMockService(state);
    try {
      await enter(page, mock.url, state);
      await page.evaluate(axe);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        // Of the rules, one depends on colours.
        const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
        const { violations } = await page.evaluate(
          (options) =>
            (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(
              options,
            ),
          rules,
        );
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.map(
            (node) => `${colorScheme} ${id}: ${node.html} ${node.any.map((each) => each.message).join()}`,
          ),
        );
        expect(found).toEqual([]);
      }
      expect(await measure(page, await page.context().newCDPSession(page))).toEqual({});
    } finally {
      await page.context().setOffline(false);
      await mock.close();
    }
  });
}
