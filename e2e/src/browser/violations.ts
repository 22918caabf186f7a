import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

type Axe = typeof globalThis & { axe: { run(within: string, options: RunOptions): Promise<AxeResults> } };

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Of the rules, one depends on colours.
const contrast = 'color-contrast';

/** What is in the way of assistive technology, in either theme. */
export async function violations(page: Page, within = ':root'): Promise<string[]> {
  return [
    ...(await violationsIn(page, within, 'light', {})),
    ...(await violationsIn(page, within, 'dark', { runOnly: [contrast] })),
  ];
}

/** What is in its way besides colours, for who measures those. */
export const violationsBesidesColours = (page: Page): Promise<string[]> =>
  violationsIn(page, ':root', 'light', { rules: { [contrast]: { enabled: false } } });

async function violationsIn(
  page: Page,
  within: string,
  colorScheme: 'light' | 'dark',
  rules: RunOptions,
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const found: string[] = [];
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const options: RunOptions = {
    ...rules,
    // To find where everything else stands takes a third of the time.
    resultTypes: ['violations'],
    selectors: false,
    preload: false,
  };
  const results = await page.evaluate(([place, given]) => (globalThis as Axe).axe.run(place, given), [
    within,
    options,
  ] as const);
  for (const { id, nodes } of results.violations)
    for (const { html, any } of nodes)
      found.push(`${colorScheme} ${id}: ${html} ${any.map(({ message }) => message).join()}`);
  return found;
}
