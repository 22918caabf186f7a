import { expect, test } from '@playwright/test';
import { lists, openConsole, rows, rowsPerPage, startLongLists } from './long-lists.ts';
import { scrollThrough } from './scroll-through.ts';

/** What the page draws of a list, whatever its length; `pnpm bench lists` shows how long that holds it up. */
const maxDrawn = 500;

test('lists of 10,000 rows come to their end with a few hundred rows in the page', async ({ page }) => {
  test.setTimeout(600_000);
  const { service, token } = await startLongLists(test.info().outputPath('service'));
  try {
    await openConsole(page, service, token);
    for (const address of lists)
      await test.step(address, async () => {
        const { maxRows, pages } = await scrollThrough(page, address);
        expect(pages * rowsPerPage).toBeGreaterThanOrEqual(rows);
        expect(maxRows).toBeGreaterThanOrEqual(rowsPerPage);
        expect(maxRows).toBeLessThan(maxDrawn);
      });
  } finally {
    await service.stop();
  }
});
