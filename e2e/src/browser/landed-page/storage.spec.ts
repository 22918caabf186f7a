import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { keptFiles } from '../kept-files.ts';
import type { Recorded } from '../mock-service.ts';
import { identify, sign } from '../visitor-token.ts';
import { booking, consent } from '../recorded-turns.ts';
import { test } from './landed.ts';

type Stored = {
  localStorage: Record<string, string>;
  sessionStorage: Record<string, string>;
  files: { key: [at: number, id: string]; files: { name: string; type: string; bytes: string }[] }[];
};

const read = (name: string) => readFileSync(join(import.meta.dirname, 'kept', name), 'utf8');
const events = read('events.ndjson')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

/** Puts into the browser what the version of then has kept in one; for as long as it does, it is then. */
async function bringBack(page: Page, service: string): Promise<Stored> {
  const stored = JSON.parse(read('storage.json').replaceAll('https://SERVICE', service)) as Stored;
  await page.clock.setFixedTime(stored.files[0]!.key[0] + 60_000);
  await page.route('**/before', (route) => route.fulfill({ contentType: 'text/html', body: 'Before.' }));
  await page.goto(`${service}/before`);
  await page.evaluate(async ({ localStorage: stored, sessionStorage: ofTab, files }) => {
    for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
    for (const [name, value] of Object.entries(ofTab)) sessionStorage.setItem(name, value);
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('parley');
      opening.onupgradeneeded = () => opening.result.createObjectStore('files');
      opening.onsuccess = () => resolve(opening.result);
    });
    const transaction = database.transaction('files', 'readwrite');
    for (const { key, files: kept } of files) {
      const made = kept.map(
        ({ name, type, bytes }) =>
          new File([Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))], name, { type }),
      );
      transaction.objectStore('files').put(made, key);
    }
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
  }, stored);
  return stored;
}

test.use({
  recording: { widget: { consent, form: { title: 'Who are we talking to?', fields: booking.slice(0, 2) } } },
});

test('all that was kept in a browser is there: conversation, outbox, draft, files, form, rating, sound, who it is', async ({
  page,
  landed,
}) => {
  landed.tell(...events);
  const { localStorage: stored, files } = await bringBack(page, landed.service);
  const entry = (name: string) => stored[`parley:${landed.service}:pk_stage${name}`]!;
  const [waiting] = JSON.parse(entry(':outbox')) as { id: string }[];
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && (request.postData()?.includes('Are you there?') ?? false),
  );
  const uploaded = page.waitForRequest('**/v1/session/file');
  await page.route('**/v1/session/file', (route) => route.fulfill({ json: { ok: true, fileId: 'file_1' } }));
  const calls: string[] = [];
  await page.exposeFunction('called', (name: string) => void calls.push(name));
  await landed.open(
    `<script async src="${landed.service}/v1/parley.js" data-key="pk_stage" data-name="Chat with us"></script>`,
  );
  // It was open in this tab.
  const chat = chatIn(page);
  await expect(chat.field).toHaveValue('half a sentence');
  await landed.run(`await parley('tool', { name: 'read_basket', description: 'Reads the basket.',
    parameters: { type: 'object', properties: {} }, run: () => called('read_basket') })`);
  await identify(page, sign('ada', 'agt_stage'));
  await expect(chat.log).toContainText('Hi.');
  await expect(chat.log).toContainText('Are you there?');
  await expect(page.locator('.composer')).toContainText('invoice.pdf');
  await expect(page.getByRole('button', { name: 'Agree and start' })).toHaveCount(0);
  await expect(chat.log.getByRole('textbox', { name: 'Your name' })).toHaveValue('Ada Byron');
  await expect(chat.log.getByRole('checkbox', { name: 'I bring a dog' })).toBeChecked();
  await expect(chat.log.locator('.thumb[data-rating=up]').first()).toHaveAttribute('aria-pressed', 'true');
  await page.locator('summary[aria-label=Menu]').click();
  await expect(page.locator('.menu').getByRole('checkbox')).toBeChecked();
  await page.keyboard.press('Escape');

  const upload = await uploaded;
  expect(decodeURIComponent((await upload.headerValue('x-parley-filename')) ?? '')).toBe('hills.png');
  expect(upload.postDataBuffer()?.toString('base64')).toBe(files.at(0)!.files[0]!.bytes);
  expect((await sent).postDataJSON()).toMatchObject({
    clientMessageId: waiting!.id,
    clientContext: { page: 'Pricing' },
    message: [
      { type: 'text', text: 'Are you there?' },
      { type: 'file', fileId: 'file_1' },
    ],
  });
  expect(await keptFiles(page)).toBeGreaterThan(0);
  // Its result had been refused there.
  expect(calls).toEqual([]);
});

test('another visitor than the one it was kept for finds nothing of it', async ({ page, landed }) => {
  landed.tell(...events);
  await bringBack(page, landed.service);
  await landed.open(`<script async src="${landed.service}/v1/parley.js" data-key="pk_stage"></script>`);
  const chat = chatIn(page);
  await expect(chat.log).toContainText('Hi.');
  await identify(page, sign('eve', 'agt_stage'));
  await expect(page.getByRole('button', { name: 'Agree and start' })).toBeVisible();
  await expect(chat.log).not.toContainText('Hi.');
  const left = () => page.evaluate(() => Object.keys(localStorage).map((name) => name.split(':').at(-1)));
  await expect.poll(async () => new Set(await left())).toEqual(new Set(['notify', 'visitor']));
  await expect.poll(() => keptFiles(page)).toBe(0);
});
