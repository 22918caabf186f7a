import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Nothing on the screen is in anybody's way, in either theme and on a phone. */
export async function check(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
    );
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${colorScheme} ${id}: ${html}`),
    );
    expect(found, page.url()).toEqual([]);
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: 400, height: 800 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${page.url()} at 400 px`).toBeLessThanOrEqual(400);
  if (size) await page.setViewportSize(size);
}

/** What the browser complains about, a policy that is broken above all. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    // That a session has ended is a 401, and said by the browser too.
    if (message.type() === 'error' && !/status of 40[014]/.test(message.text())) found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  return found;
}
