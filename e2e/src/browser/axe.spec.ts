import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { raiseStage } from './stage.ts';
import { enter, states } from './states.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

for (const [name, state] of Object.entries(states)) {
  test(`nothing is in the way of assistive technology: ${name}`, async ({ page }) => {
    const stage = await raiseStage(state);
    try {
      await enter(page, stage.url, state);
      await page.evaluate(axe);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
        );
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.map(
            (node) => `${colorScheme} ${id}: ${node.html} ${node.any.map((each) => each.message).join()}`,
          ),
        );
        expect(found).toEqual([]);
      }
    } finally {
      await page.context().setOffline(false);
      await stage.close();
    }
  });
}
