import { expect, type Page, type Request, test as base } from '@playwright/test';
import { chatIn, heard, menuOf, occurrences, openFernhill, toBegin } from './chat.ts';
import { attach, film, hand, invoice, photo } from './files.ts';
import { keptFiles } from './kept-files.ts';
import { parley } from './parley.ts';
import { picture } from './picture.ts';
import { test } from './running-demo.ts';
import { startMockService, strictPolicy } from './mock-service.ts';
import { ended, event, said } from './recorded-turns.ts';
import { enter, states } from './states.ts';
import { identify, identitySecret, sign } from './visitor-token.ts';

const attached = (page: Page) => page.locator('.composer').getByRole('list', { name: 'Attached files' });
const sent = (page: Page) => page.getByRole('log').getByRole('list', { name: 'Attached files' });
const pictureIn = (page: Page) => sent(page).getByRole('img', { name: 'hills.png' });

/** The colour in the middle of a picture's top edge: the sky, once it is drawn. */
const sky = (page: Page) =>
  pictureIn(page).evaluate((canvas: HTMLCanvasElement) => [
    ...canvas.getContext('2d')!.getImageData(canvas.width / 2, 0, 1, 1).data,
  ]);
const drawn = async (page: Page) => expect.poll(() => sky(page)).toEqual([130, 180, 235, 255]);

test('picked files go with the message, and are there in another tab and after a reload', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await attach(page, photo, invoice);
  await expect(attached(page).getByRole('listitem')).toHaveText([/hills\.png/, /invoice\.pdf.*47 kB/]);
  await chat.say('Look');
  await expect(attached(page)).toHaveCount(0);
  const asFound = async (place: Page) => {
    await expect(chatIn(place).log).toContainText('You: Look');
    await expect(chatIn(place).log).toContainText('Heard: Look');
    await drawn(place);
    const link = sent(place).getByRole('link', { name: /invoice\.pdf/ });
    const response = await place.request.get((await link.getAttribute('href'))!);
    expect(await response.body()).toEqual(invoice.buffer);
    expect(response.headers()['content-disposition']).toContain('invoice.pdf');
  };
  await asFound(page);
  const other = await page.context().newPage();
  await openFernhill(other, demo);
  await asFound(other);
  await page.reload();
  await asFound(page);
  expect(occurrences(await chat.log.innerText(), 'Heard:')).toBe(1);
});

test('files go by the upload route as they are, and the message names them', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  const posts: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request);
  });
  await attach(page, photo, { ...invoice, name: 'Rechnung März.pdf' });
  await chat.say('Look');
  await expect(chat.log).toContainText('Heard: Look');

  const [message, ...uploads] = posts.toReversed();
  expect(uploads.map((request) => new URL(request.url()).pathname)).toEqual(
    Array.from({ length: 2 }, () => '/parley/v1/session/file'),
  );
  const described = uploads.map((request) => {
    const { 'content-type': type, 'x-parley-filename': name } = request.headers();
    return `${type} ${name}`;
  });
  expect(described.toSorted()).toEqual(['application/pdf Rechnung%20M%C3%A4rz.pdf', 'image/png hills.png']);
  const file = { type: 'file', fileId: expect.stringMatching(/^file_/) };
  expect(message!.postDataJSON()).toMatchObject({ message: [{ type: 'text', text: 'Look' }, file, file] });
  for (const request of posts) expect(request.postData() ?? '').not.toMatch(/data:|base64/);
});

test('files that the service has no longer are uploaded anew when their message is sent again', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  const gone = { fileId: `file_${'A'.repeat(32)}`, expiresAt: new Date(0).toISOString() };
  await page.route('**/v1/session/file', (route) => route.fulfill({ status: 201, json: gone }));
  await page.route(toBegin, (route) => route.abort());
  await attach(page, photo);
  await chat.say('Look');
  await expect(chat.log).toContainText('Not sent');
  await page.unroute('**/v1/session/file');
  await page.unroute(toBegin);
  await page.reload();
  await expect(chat.log).toContainText('Heard: Look');
  await drawn(page);
  expect(occurrences(await chat.log.innerText(), 'Heard:')).toBe(1);
});

test('a message may be files alone, pasted or dropped', async ({ page, demo, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await hand(page, 'paste', photo);
  await expect(attached(page)).toContainText('hills.png');
  await hand(page, 'dragover', invoice);
  await expect(page.getByText('Drop files here')).toBeVisible();
  await hand(page, 'drop', invoice);
  await expect(page.getByText('Drop files here')).toBeHidden();
  await expect(attached(page)).toContainText('invoice.pdf');
  await expect(page.getByRole('status').filter({ hasText: 'Attached' })).toHaveText(
    'Attached files: hills.png, invoice.pdf',
  );
  await page.getByRole('button', { name: 'Remove hills.png' }).click();
  await expect(attached(page)).not.toContainText('hills.png');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(chat.log).toContainText('Heard:');
  await expect(sent(page).getByRole('listitem')).toHaveText([/invoice\.pdf/]);
});

test('what the agent does not take is said before it is sent, and what it takes stays', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  await demo.configure({ files: { types: ['image/*', 'application/pdf'], totalBytes: 100_000 } });
  try {
    const chat = await openFernhill(page, demo);
    await chat.field.fill('Look');
    await attach(page, photo, film);
    const problem = page.getByRole('alert');
    await expect(problem).toHaveText(
      /^Not accepted: .clip\.mp4.\. You can send images and PDF\. Files can be at most 98 kB in total\.$/,
    );
    await expect(attached(page).getByRole('listitem')).toHaveText([/hills\.png/]);
    await attach(page, { ...photo, name: 'noise.png', buffer: Buffer.alloc(99_999, 1) });
    await expect(problem).toContainText('noise.png');
    await attach(page, { ...photo, name: 'nothing.png', buffer: Buffer.alloc(0) });
    await expect(problem).toHaveText(/^Empty or not readable: .nothing\.png.\.$/);
    await expect(chat.field).toHaveValue('Look');
    await chat.field.press('Enter');
    await expect(problem).toHaveCount(0);
    await expect(chat.log).toContainText('Heard: Look');
  } finally {
    await demo.configure({ files: null });
  }
});

test('a text that is dragged over the panel is offered no place for files', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await hand(page, 'paste', photo);
  await expect(attached(page)).toContainText('hills.png');
  const offers = await chat.field.evaluate(async (field) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/plain', 'a word');
    const options = { bubbles: true, cancelable: true, composed: true, dataTransfer };
    field.dispatchEvent(new DragEvent('dragover', options));
    // From one element of the panel to another.
    field.dispatchEvent(new DragEvent('dragleave', { ...options, relatedTarget: field.parentElement }));
    await new Promise(requestAnimationFrame);
    return (field.getRootNode() as ShadowRoot).querySelectorAll('.drop').length;
  });
  expect(offers).toBe(0);
});

test('an agent that takes no files offers no button', async ({ page, demo }) => {
  await demo.configure({ files: { types: [] } });
  try {
    await openFernhill(page, demo);
    await expect(
      page.getByRole('button', { name: 'Menu' }).or(page.locator('summary[aria-label]')).first(),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Attach files' })).toHaveCount(0);
  } finally {
    await demo.configure({ files: null });
  }
});

test('what the service refuses says why, and can be changed', async ({ page, demo, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await attach(page, photo, invoice);
  await demo.configure({ files: { types: ['image/*'] } });
  try {
    await chat.say('Look');
    await expect(chat.log.getByRole('alert')).toContainText(
      /Not sent\. Not accepted: .invoice\.pdf.\. You can send images\./,
    );
    await page.getByRole('button', { name: 'Edit' }).press('Enter');
    await expect(chat.log.getByRole('alert')).toHaveCount(0);
    await expect(chat.field).toHaveValue('Look');
    await expect(chat.field).toBeFocused();
    await page.getByRole('button', { name: 'Remove invoice.pdf' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Remove hills.png' })).toBeFocused();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(chat.log).toContainText('Heard: Look');
  } finally {
    await demo.configure({ files: null });
  }
});

test('files wait offline and are sent once', async ({ page, demo, context, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await attach(page, photo, invoice);
  await expect(attached(page).getByRole('listitem')).toHaveCount(2);
  await context.setOffline(true);
  await chat.say('Look');
  await expect(chat.log).toContainText('Waits for the connection');
  await expect(chat.log.getByRole('button', { name: 'Discard' })).toBeVisible();
  await drawn(page);
  await context.setOffline(false);
  await expect(chat.log).toContainText('Heard: Look');
  await expect(chat.log).not.toContainText('Waits for the connection');
  expect(occurrences(await chat.log.innerText(), 'Heard:')).toBe(1);
});

test('files outlive a reload while they are not sent, and leave nothing behind', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  // The service has it, but the page does not hear so: the same bytes under the same key are no second message.
  await page.route(toBegin, async (route) => {
    await route.fetch({ headers: { ...route.request().headers(), accept: 'application/json' } });
    await route.abort();
  });
  await attach(page, photo, invoice);
  await chat.say('Look');
  await expect(chat.log).toContainText('Not sent');
  await expect.poll(() => keptFiles(page)).toBe(1);
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await expect(chat.log).toContainText('Heard: Look');
  await drawn(page);
  await expect(sent(page)).toHaveCount(1);
  expect(occurrences(await chat.log.innerText(), 'Heard:')).toBe(1);
  await expect.poll(() => keptFiles(page)).toBe(0);
});

test('files of a draft outlive a reload, are there in another tab, and are gone when removed or sent', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await attach(page, photo, invoice);
  await chat.field.fill('Look');
  await expect.poll(() => keptFiles(page)).toBe(1);
  await page.reload();
  await expect(attached(page).getByRole('listitem')).toHaveText([/hills\.png/, /invoice\.pdf.*47 kB/]);
  await expect(chat.field).toHaveValue('Look');
  const other = await page.context().newPage();
  await openFernhill(other, demo);
  await expect(attached(other).getByRole('listitem')).toHaveCount(2);
  await other.close();
  await page.getByRole('button', { name: 'Remove invoice.pdf' }).click();
  await attach(page, { ...invoice, name: 'bill.pdf' });
  await expect.poll(() => keptFiles(page)).toBe(1);
  await page.reload();
  await expect(attached(page).getByRole('listitem')).toHaveText([/hills\.png/, /bill\.pdf/]);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(chat.log).toContainText('Heard: Look');
  await drawn(page);
  await expect.poll(() => keptFiles(page)).toBe(0);
  await page.reload();
  await expect(chat.log).toContainText('Heard: Look');
  await expect(attached(page)).toHaveCount(0);
});

test('files that a page was about to remove when it was left are removed by the next that deals with files', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await attach(page, photo);
  await expect.poll(() => keptFiles(page)).toBe(1);
  // As long as the page is there, its database does not answer.
  await page.evaluate(() => (IDBFactory.prototype.open = () => ({}) as IDBOpenDBRequest));
  await chat.say('Look');
  await expect(chat.log).toContainText('Heard: Look');
  await page.reload();
  await drawn(page);
  await attach(page, invoice);
  // What is still wanted stays.
  await expect.poll(() => keptFiles(page)).toBe(2);
  await expect.poll(() => keptFiles(page)).toBe(1);
  await page.reload();
  await expect(attached(page).getByRole('listitem')).toHaveText([/invoice\.pdf/]);
});

test('files that two tabs have drafted go with the message of their own tab, and each is there after its reload', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  await demo.configure({ identity: { secret: identitySecret } });
  const chat = await openFernhill(page, demo);
  const come = (tab: Page) => identify(tab, sign('ada-two-drafts', demo.agentId));
  await come(page);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  const other = await page.context().newPage();
  const there = await openFernhill(other, demo);
  await come(other);
  await expect(there.log).toContainText('Heard: Hello');
  await attach(other, photo);
  await expect.poll(() => keptFiles(page)).toBe(1);

  await menuOf(page).click();
  await page.getByRole('button', { name: 'Conversations', exact: true }).click();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await attach(page, invoice);
  await expect.poll(() => keptFiles(page)).toBe(2);
  await expect(attached(page).getByRole('listitem')).toHaveText([/invoice\.pdf/]);
  for (const [tab, name] of [
    [page, /invoice\.pdf/],
    [other, /hills\.png/],
  ] as const) {
    await tab.reload();
    await come(tab);
    await expect(attached(tab).getByRole('listitem')).toHaveText([name]);
  }

  await chat.say('Look');
  await expect(there.log).toContainText('Heard: Look');
  for (const tab of [page, other]) await expect(sent(tab).getByRole('listitem')).toHaveText([/invoice\.pdf/]);
  await page.reload();
  await come(page);
  await expect(sent(page).getByRole('listitem')).toHaveCount(1);
  await expect(chat.field).toBeVisible();
  await expect.poll(() => keptFiles(page)).toBe(1);
  await attach(page, { ...invoice, name: 'bill.pdf' });
  await expect(attached(page).getByRole('listitem')).toHaveText([/bill\.pdf/]);
  await other.reload();
  await come(other);
  await expect(attached(other).getByRole('listitem')).toHaveText([/hills\.png/]);
  await parley(other, 'logout');
  await expect.poll(() => keptFiles(page)).toBe(0);
});

test('files of a draft do not reach the next visitor, whichever tab its own has left', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await attach(page, invoice);
  await expect.poll(() => keptFiles(page)).toBe(1);
  const other = await page.context().newPage();
  await openFernhill(other, demo);
  await expect(attached(other)).toContainText('invoice.pdf');
  await parley(other, 'logout');
  await expect(attached(page)).toHaveCount(0);
  await expect.poll(() => keptFiles(page)).toBe(0);
  await page.reload();
  await chat.say('Eve here');
  await expect(chat.log).toContainText('Heard: Eve here');
  await expect(attached(page)).toHaveCount(0);

  await attach(page, invoice);
  await expect.poll(() => keptFiles(page)).toBe(1);
  // Before there is a conversation to leave.
  await page.route('**/v1/config*', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.evaluate(() => {
    void globalThis.parley('logout');
  });
  await expect.poll(() => keptFiles(page)).toBe(0);
});

test('files of a draft that the browser has thrown away are said to be lost, its words are not', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await attach(page, invoice);
  await chat.field.fill('Look');
  await expect.poll(() => keptFiles(page)).toBe(1);
  await page.addInitScript(() => indexedDB.deleteDatabase('parley'));
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText('The files were lost in the reload. Attach them again.');
  await expect(chat.field).toHaveValue('Look');
  await page.reload();
  await expect(chat.field).toHaveValue('Look');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a message has at most ten files, and says which are too many', async ({ page, demo, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  const notes = Array.from({ length: 12 }, (_, index) => ({
    name: `note-${index + 1}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from('note'),
  }));
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles(notes);
  await expect(page.getByRole('alert')).toHaveText(
    /^Not accepted: .note-11\.txt. and .note-12\.txt.\. A message can have at most 10 files\.$/,
  );
  await expect(attached(page).getByRole('listitem')).toHaveCount(10);
  await chat.say('Look');
  await expect(chat.log).toContainText('Heard: Look');
  await expect(sent(page).getByRole('listitem')).toHaveCount(10);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a message whose files could not be kept says so, and does not go without them', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
  const chat = await openFernhill(page, demo);
  await page.route(toBegin, (route) => route.abort());
  await attach(page, photo);
  await chat.say('Look');
  await expect(chat.log).toContainText('Not sent');
  await page.reload();
  await expect(chat.log.getByRole('alert')).toContainText(
    'Not sent. The files were lost in the reload. Attach them again.',
  );
  // Not earlier: it would go by itself, with its files, from the page that still has them.
  await page.unroute(toBegin);
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(chat.field).toHaveValue('Look');
  await attach(page, photo);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(chat.log).toContainText('Heard: Look');
});

test('files wait in the field while the panel is closed, are printed, and an answer can be asked for again with them', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await page.evaluate(() => {
    globalThis.print = () => document.documentElement.toggleAttribute('data-printing', true);
  });
  await attach(page, photo);
  await expect(attached(page)).toContainText('hills.png');
  await page.getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await expect(attached(page)).toContainText('hills.png');
  await chat.say('Look');
  await expect(chat.log).toContainText('Heard: Look');
  await drawn(page);
  await menuOf(page).click();
  await page.getByRole('button', { name: 'Print transcript' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printing');
  const colour = await page
    .locator('#parley-print canvas')
    .evaluate((canvas: HTMLCanvasElement) => [
      ...canvas.getContext('2d')!.getImageData(canvas.width / 2, 0, 1, 1).data,
    ]);
  expect(colour).toEqual([130, 180, 235, 255]);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.getByRole('button', { name: 'Answer again' }).click();
  await expect(sent(page)).toHaveCount(2);
  await expect.poll(async () => occurrences(await chat.log.innerText(), 'Heard: Look')).toBe(2);
});

test('ten megabytes are sent', async ({ page, demo, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  const large = { ...invoice, name: 'large.pdf', buffer: Buffer.alloc(10_485_760, 7) };
  await attach(page, large);
  await expect(attached(page)).toContainText('10 MB');
  await chat.say('Look');
  await expect(chat.log).toContainText('Heard: Look');
});

base('pictures need nothing of a strict policy, here or in the conversation', async ({ page }) => {
  const violations: string[] = [];
  await page.exposeFunction('violated', (directive: string) => violations.push(directive));
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      (window as unknown as { violated(directive: string): void }).violated(event.effectiveDirective),
    ),
  );
  const state = states['files sent']!;
  const mock = await startMockService({ ...state, page: strictPolicy });
  try {
    await enter(page, mock.url, state);
    await expect
      .poll(() =>
        sent(page)
          .getByRole('img')
          .last()
          .evaluate((canvas: HTMLCanvasElement) => canvas.width),
      )
      .toBe(192);
    await attach(page, { ...photo, buffer: picture(200, 200) });
    await expect(attached(page).getByRole('listitem')).toHaveCount(1);
    expect(violations).toEqual([]);
  } finally {
    await mock.close();
  }
});

base('a file that is elsewhere is named, and nothing is asked of its host', async ({ page }) => {
  const file = { type: 'file', mediaType: 'image/png', url: 'https://elsewhere.example/cat.png' };
  const message = '[file: image/png (image/png)]';
  const mock = await startMockService({
    events: [
      event('message.received', { sequence: 1, turnId: 'turn_1', message, parts: [file] }),
      ...said(1, 'A cat.'),
      ...ended(1),
    ],
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).host));
  try {
    await enter(page, mock.url, { shows: 'A cat.' });
    await expect(sent(page).getByRole('listitem')).toHaveText(['image/png']);
    await expect(sent(page).getByRole('link')).toHaveCount(0);
    expect(asked.filter((host) => host !== new URL(mock.url).host)).toEqual([]);
  } finally {
    await mock.close();
  }
});
