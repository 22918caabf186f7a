import { writeFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { test as base } from '../browser/running-demo.ts';
import { type HostPage, type HostPages, nonce, serveHostPages } from './host-pages.ts';
import { type Engine, openStockBrowser } from './stock-browsers.ts';
import type { StockBrowser, TabOptions } from './tab.ts';
import { Visitor } from './visitor.ts';

interface WorkerFixtures {
  engine: Engine;
  stockBrowser: StockBrowser;
  hostPages: HostPages & { key: string };
}
interface Fixtures {
  tabOptions: TabOptions;
  /** Somebody with a profile of their own. */
  visitor: Visitor;
  /** Opens such a page with Fernhill's widget; nothing may go wrong in it. */
  openHost: (page: HostPage) => Promise<void>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  engine: ['firefox', { option: true, scope: 'worker' }],
  stockBrowser: [
    async ({ engine }, use) => {
      const browser = openStockBrowser(engine);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  hostPages: [
    async ({ demo }, use) => {
      let key = '';
      const pages = await serveHostPages(
        () =>
          `<script nonce="${nonce}" async src="${demo.service}/v1/parley.js" data-key="${key}" data-name="Chat with Fern"></script>`,
      );
      key = await demo.createKey([pages.origin, pages.origin.replace('localhost', '127.0.0.1')]);
      await use({ ...pages, key });
      pages.close();
    },
    { scope: 'worker' },
  ],
  tabOptions: [{}, { option: true }],
  visitor: async ({ stockBrowser, tabOptions }, use, info) => {
    const tab = await stockBrowser.open(tabOptions);
    await use(new Visitor(tab));
    if (info.status !== info.expectedStatus)
      await writeFile(info.outputPath('seen.png'), await tab.picture());
    await tab.close();
  },
  openHost: async ({ visitor, hostPages }, use) => {
    await use((page) => visitor.tab.goto(`${hostPages.origin}${hostPages.add(page)}`));
    await visitor.tab.leaveFrame();
    expect(await visitor.tab.evaluate('globalThis.faults')).toEqual([]);
  },
});
