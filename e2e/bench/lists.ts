import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser } from '../src/browser.ts';
import { lists, openConsole, rows, startLongLists } from '../src/browser/long-lists.ts';
import { scrollThrough } from '../src/browser/scroll-through.ts';
import { percentile, row } from './statistics.ts';

const runs = 5;

/** How long the console's long lists hold the page up, scrolled from their top to their end. */
export async function benchLists(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-lists-'));
  const browser = await chromium.launch({ executablePath: ensureBrowser() });
  try {
    const { service, token } = await startLongLists(directory);
    try {
      const page = await browser.newPage();
      await openConsole(page, service, token);
      process.stdout.write(
        `Lists of ${rows} rows, scrolled to their end ${runs} times; their longest task:\n`,
      );
      for (const address of lists) {
        const tasks: number[] = [];
        for (let run = 0; run < runs; run += 1)
          tasks.push((await scrollThrough(page, address)).longestTaskMs);
        row(
          `  ${address}, median of the runs (0: none of 50 or more)`,
          percentile(tasks, 0.5),
          'ms',
          'none over 50',
        );
        row(`  ${address}, the longest`, Math.max(...tasks), 'ms', '');
      }
    } finally {
      await service.stop();
    }
  } finally {
    await browser.close();
    rmSync(directory, { recursive: true });
  }
}
