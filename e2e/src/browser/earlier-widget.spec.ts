import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { openFernhill } from './chat.ts';
import { test } from './running-demo.ts';

const folder = join(import.meta.dirname, 'earlier-widget');
/** The English widget as version 0.1.0 was built on 23 November 2026. */
const kept = new Map(
  readdirSync(folder).map((file) => [
    file.replace(/\.br$/, ''),
    brotliDecompressSync(readFileSync(join(folder, file))).toString(),
  ]),
);

test('a widget that a browser has kept talks with a newer service', async ({ page, demo }) => {
  const strange: string[] = [];
  const served = new Set<string>();
  await page.route(
    ({ origin, pathname }) => origin === demo.service && pathname.endsWith('.js'),
    async (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1)!;
      const body = kept.get(name);
      if (body === undefined) strange.push(name);
      served.add(name);
      const headers = { 'access-control-allow-origin': '*' };
      await route.fulfill({
        status: body === undefined ? 404 : 200,
        contentType: 'text/javascript',
        headers,
        body: body ?? '',
      });
    },
  );
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 1078');
  const approval = page.getByRole('group', { name: 'Refund order' });
  await approval.getByRole('button', { name: 'Approve' }).click();
  await expect(chat.log).toContainText('31.50 € for order 1078 goes back');

  await page.reload();
  await expect(chat.log).toContainText('31.50 € for order 1078 goes back');
  await chat.say('Where is order 1078?');
  await expect(chat.log).toContainText('Order 1078 was refunded.');
  expect(strange).toEqual([]);
  const parts = [...served].map((name) => name.replace(/-.*/, ''));
  expect(parts).toEqual(expect.arrayContaining(['parley.js', 'panel', 'answers', 'cards']));
});
