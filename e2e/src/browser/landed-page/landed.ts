import { join } from 'node:path';
import { type Page, test as base } from '@playwright/test';
import { type Recorded, type Recording, startMockService } from '../mock-service.ts';

const packaged = join(import.meta.dirname, '../../../../packages/widget/dist/npm');

/** Where a page's `import '@parley/widget'` leads. */
const importMap = JSON.stringify({
  imports: { '@parley/widget': '/npm/index.js', '@parley/widget/': '/npm/' },
});

type Heard = [name: string, detail: unknown][];

declare global {
  // oxlint-disable-next-line no-var -- only so is it a property of `globalThis`.
  var heard: Heard;
}

type Landed = {
  service: string;
  /** The service goes on with the conversation. */
  tell: (...events: Recorded[]) => void;
  /** Opens a page with this markup in its body. */
  open: (body: string) => Promise<void>;
  /** Runs an example as the page's own script would. */
  run: (code: string) => Promise<void>;
  /** The events that the page has heard of its widgets. */
  heard: (name: string) => Promise<unknown[]>;
};

export const test = base.extend<{ recording: Recording; landed: Landed }>({
  recording: [{}, { option: true }],
  landed: async ({ page, recording }, use) => {
    const events: Recorded[] = [];
    const mock = await startMockService({ ...recording, events });
    const service = mock.url.replace(/\/$/, '');
    await page.route('**/npm/**', (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({
        path: join(packaged, pathname.replace('/npm/', '').replace(/(\.js)?$/, '.js')),
      });
    });
    await use({
      service,
      tell(...more) {
        events.push(...more);
        for (const each of more) mock.write(each);
      },
      open: (body) => openPage(page, service, body),
      run: (code) => page.evaluate(`(async () => {\n${code}\n})()`),
      heard: (name) =>
        page.evaluate(
          (wanted) => globalThis.heard.filter(([each]) => each === wanted).map(([, detail]) => detail),
          name,
        ),
    });
    await mock.close();
  },
});

/** It hears what the README of then says that pages hear. */
async function openPage(page: Page, service: string, body: string): Promise<void> {
  await page.route('**/landed', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">
<script type="importmap">${importMap}</script></head><body><h1>A page</h1>${body}</body></html>`,
    }),
  );
  await page.goto(`${service}/landed`);
}
