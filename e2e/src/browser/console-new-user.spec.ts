import { writeFile } from 'node:fs/promises';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { openToolEndpoint } from '../clients/tool-endpoint.ts';
import { type RunningServer, startServer } from '../server.ts';
import { openThirtyPages } from '../thirty-pages.ts';
import { complaints } from './console-check.ts';
import { startFilm } from './film.ts';
import { openProviderWithKey } from './provider-with-key.ts';
import { allowPatience, bePatient, endPatience } from './resilience/patience.ts';
import { startStopwatch } from './stopwatch.ts';

/** Between two keys, for sixty words a minute and a little more. */
const keyMs = 50;
/** From the first screen to the answer with its source. */
const boundSeconds = 180;
const providerKey = 'sk-of-the-provider';
const question = 'When are you open?';

const type = async (field: Locator, text: string) => {
  await field.click();
  await field.press('ControlOrMeta+a');
  await field.pressSequentially(text, { delay: keyMs });
};

/** What was copied last, put where the cursor is. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.page().keyboard.insertText(text);
}

const askIn = async (shop: Page, text: string) => {
  await type(shop.getByRole('textbox'), text);
  await shop.getByRole('textbox').press('Enter');
};

test('a new user has an agent that answers on their page within three minutes, and then makes it do things', async ({
  page,
  browser,
}, testInfo) => {
  test.setTimeout(600_000);
  const harbour = await openThirtyPages();
  const tool = await openToolEndpoint();
  const provider = await openProviderWithKey(providerKey, 'From half past eight, gladly.');
  const environment = {
    EGRESS_ALLOW: [harbour.host, provider.address, tool.environment.EGRESS_ALLOW].join(),
  };
  const service = await startServer({ environment });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await allowPatience(page);
  const visitor = await browser.newContext();
  const shop = await visitor.newPage();
  const found = complaints(page);
  const film = startFilm();
  const stopwatch = startStopwatch();
  const lap = async (name: string, run: () => Promise<void>) => {
    film.caption(name);
    await stopwatch.lap(name, run);
  };
  /** The page as somebody sees it who was never there. */
  const greets = async (greeting: string) => {
    const another = await browser.newContext();
    const theirs = await another.newPage();
    await film.follow(theirs);
    await theirs.goto(`${harbour.origin}/returns`);
    await theirs.getByRole('button', { name: /Harbour Cycles/ }).click();
    await expect(theirs.getByRole('dialog').getByText(greeting)).toBeVisible();
    await film.follow(page);
    await another.close();
  };
  try {
    await film.follow(page);
    await lap('name and password', async () => {
      await page.goto(service.setupLink ?? '');
      await type(page.getByLabel('Your name'), 'Ada');
      await type(page.getByLabel('Password'), 'correct horse battery');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByLabel('Your website')).toBeVisible();
    });
    await lap('a website of thirty pages is read', async () => {
      await type(page.getByLabel('Your website'), harbour.origin);
      await page.getByRole('button', { name: 'Read it' }).click();
      await expect(page.getByText('30 pages of 127.0.0.1.')).toBeVisible({ timeout: boundSeconds * 1_000 });
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Harbour Cycles');
    });
    await lap('published, and its code copied', async () => {
      await expect(page.getByText('only, for up to 2,000 conversations a day.')).toBeVisible();
      await page.getByRole('button', { name: 'Publish' }).click();
      const copy = page.getByRole('button', { name: 'Copy: Code for Script' });
      await expect(copy).toBeVisible();
      // That it was copied is said for two seconds.
      await bePatient(page);
      await copy.click();
      await expect(copy).toHaveText('Copied');
      await endPatience(page);
      harbour.pasted.html = await page.evaluate(() => navigator.clipboard.readText());
    });
    await lap('a visitor is answered on the page, with the source', async () => {
      await film.follow(shop);
      await shop.goto(`${harbour.origin}/delivery`);
      await shop.getByRole('button', { name: /Harbour Cycles/ }).click();
      await askIn(shop, question);
      await expect(shop.getByRole('log')).toContainText('half past eight');
      const source = shop.getByRole('log').getByRole('link', { name: /Opening hours/ });
      await expect(source).toHaveAttribute('href', `${harbour.origin}/hours`);
    });
    const seconds = stopwatch.split('an answer with its source, from the first screen of an empty database');
    expect(seconds).toBeLessThan(boundSeconds);
    await test.step('what is published has its bounds', () => checkBounds(service, harbour.origin));

    await lap('a provider’s key: answers are a model’s', async () => {
      await film.follow(page);
      await page.getByRole('link', { name: 'Agent', exact: true }).click();
      await page.getByLabel('Provider').selectOption({ label: 'OpenAI-compatible service' });
      await type(page.getByLabel('Model', { exact: true }), 'desk-1');
      await type(page.getByLabel('Address'), provider.url);
      await type(page.getByLabel('API key'), 'not the key');
      await page.getByRole('button', { name: 'Test the model' }).click();
      await expect(page.getByText('The provider does not accept the API key.')).toBeVisible();
      await type(page.getByLabel('API key'), providerKey);
      await page.getByRole('button', { name: 'Test the model' }).click();
      await expect(page.getByText('It answers, after')).toBeVisible();
      await publish(page);
      await film.follow(shop);
      await askIn(shop, 'And on Friday?');
      await expect(shop.getByRole('log')).toContainText('From half past eight, gladly.');
    });
    await lap('a tool from a curl line', async () => {
      await film.follow(page);
      await page.getByRole('link', { name: 'Tools' }).click();
      await page.getByRole('link', { name: 'Import' }).click();
      await paste(
        page.getByLabel('The line'),
        `curl -X POST '${tool.url}/orders/{{order}}/refund' -H 'Authorization: Bearer of-the-shop' --json '{"reason":"late"}'`,
      );
      await page.getByRole('button', { name: 'Make a tool' }).click();
      await type(page.getByLabel('Name').first(), 'refund');
      await type(page.getByLabel('When the agent should use it'), 'When a visitor wants their money back.');
      await page.getByRole('button', { name: 'Save tool' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'refund' })).toContainText('Asks first');
    });
    await lap('the visitor approves what it does', async () => {
      await film.follow(shop);
      await askIn(shop, 'I want a refund of B-4');
      const approval = shop.getByRole('group', { name: /refund/i });
      await expect(approval).toContainText('It came late.');
      expect(tool.calls).toEqual([]);
      await approval.getByRole('button', { name: 'Approve' }).click();
      await expect(shop.getByRole('log')).toContainText('It is refunded: {"done":"/orders/B-4/refund"}');
      expect(tool.calls).toEqual(['/orders/B-4/refund']);
    });
    await lap('a greeting is published, and rolled back', async () => {
      await film.follow(page);
      await page.getByRole('link', { name: 'Agents' }).click();
      await page.getByRole('link', { name: /Harbour Cycles/ }).click();
      const earlier = await page.getByLabel('Greeting').inputValue();
      await type(page.getByLabel('Greeting'), 'Ahoy! What do you ride?');
      await publish(page);
      await greets('Ahoy! What do you ride?');
      await page.getByRole('link', { name: 'History' }).click();
      const before = page.getByRole('article').nth(1);
      await before.getByRole('button', { name: 'Compare' }).click();
      await before.getByRole('button', { name: 'Publish again at once' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Publish again' }).click();
      await expect(page.getByRole('article', { name: /Live$/ })).toContainText('again');
      await greets(earlier);
    });
    expect(found).toEqual([]);
  } finally {
    const path = testInfo.outputPath('film.html');
    await writeFile(path, await film.end());
    await testInfo.attach('stopwatch', { body: stopwatch.lines.join('\n') });
    // Attached by its path it would be copied.
    testInfo.attachments.push({ name: 'film', contentType: 'text/html', path });
    await visitor.close();
    await service.stop();
    provider.close();
    tool.close();
    harbour.close();
  }
});

/** What was changed, for visitors. */
async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText(/^Published: visitors have revision/)).toBeVisible();
}

/** What nobody has looked at yet costs little, and answers on its own pages only. */
async function checkBounds({ url, settings }: RunningServer, origin: string): Promise<void> {
  const one = async <Item>(list: string) =>
    (await settings<{ items: Item[] }>('GET', list)).items as [Item, ...Item[]];
  const [agent] = await one<{ limits: object }>('/agents');
  expect(agent.limits).toMatchObject({
    sessionsPerKeyPerDay: 2_000,
    turnsPerKeyPerDay: 10_000,
    tokensPerDay: 5_000_000,
  });
  const [key] = await one<{ key: string; kind: string }>('/keys');
  expect(key).toMatchObject({ kind: 'publishable', allowedOrigins: [origin], allowMissingOrigin: false });
  const askFrom = async (from: Record<string, string>) => {
    const response = await fetch(`${url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json', ...from },
      body: JSON.stringify({ id: 'from a page', text: question }),
    });
    return { status: response.status, body: (await response.json()) as object };
  };
  expect(await askFrom({ origin })).toMatchObject({ status: 200 });
  for (const from of [{ origin: 'https://evil.example' }, {}])
    expect(await askFrom(from)).toMatchObject({ status: 403, body: { code: 'ORIGIN_NOT_ALLOWED' } });
}
