import { expect, type Page, test as base } from '@playwright/test';
import { chatIn } from './chat.ts';
import { startMockService, type MockService, type Recording } from './mock-service.ts';
import { test as demoTest } from './running-demo.ts';

const test = base.extend<{ open: (recording: Recording) => Promise<MockService> }>({
  open: async ({ page }, use) => {
    const services: MockService[] = [];
    await use(async (recording) => {
      const service = await startMockService(recording);
      services.push(service);
      await page.goto(service.url);
      await page.getByRole('button', { name: 'Chat with Fern' }).click();
      await expect(page.getByText('You are talking to an AI.')).toBeVisible();
      return service;
    });
    for (const service of services) await service.close();
  },
});

/** Where things stand in the window, and how large their words are. */
const look = (page: Page, selectors: readonly string[]) =>
  Promise.all(
    selectors.map((selector) =>
      page.locator(selector).evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const { fontSize, lineHeight } = getComputedStyle(element);
        return { x, y, width, height, fontSize, lineHeight };
      }),
    ),
  );

test('on a page without a doctype all is as large as on any other', async ({ page, open }) => {
  const seen = ['.panel', '.header', '.greeting', '.prompt >> nth=0', '.composer textarea'];
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const service = await open({});
  // It comes later than the rest, and takes its room from the field.
  const attach = page.getByRole('button', { name: 'Attach files' });
  await expect(attach).toBeVisible();
  const standard = await look(page, seen);
  await page.route(service.url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('<!doctype html>', '') });
  });
  await page.reload();
  await expect(page.getByText('You are talking to an AI.')).toBeVisible();
  await expect(attach).toBeVisible();
  expect(await page.evaluate(() => document.compatMode)).toBe('BackCompat');
  await expect.poll(() => look(page, seen)).toEqual(standard);
});

test('the greeting stands where it stood when a page is loaded again', async ({ page, open }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open({});
  const before = await look(page, ['.greeting', '.prompt >> nth=1']);
  await page.reload();
  await expect(page.getByText('You are talking to an AI.')).toBeVisible();
  await expect.poll(() => look(page, ['.greeting', '.prompt >> nth=1'])).toEqual(before);
});

test('the button of the form before the first message says what its maker has it say', async ({
  page,
  open,
}) => {
  const form = { title: 'Who are you?', fields: [{ name: 'name', label: 'Your name', required: true }] };
  await open({ widget: { form: { ...form, action: 'Ask the workshop' } } });
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada');
  await page.getByRole('button', { name: 'Ask the workshop' }).click();
  await expect(chatIn(page).field).toBeFocused();
});

test('on a telephone nothing lies under its notch or the bar at its end', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34 } });
  const service = await startMockService({});
  await page.goto(service.url);
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  const { y, height } = (await launcher.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(844 - 34);
  await launcher.click();
  const dialog = page.getByRole('dialog');
  await expect(page.getByText('You are talking to an AI.')).toBeVisible();
  await expect
    .poll(async () => (await dialog.getByRole('button', { name: 'Close' }).boundingBox())!.y)
    .toBeGreaterThanOrEqual(47);
  const box = (await page.locator('.composer-box').boundingBox())!;
  expect(box.y + box.height).toBeLessThanOrEqual(844 - 34);
  await service.close();
});

demoTest(
  'the address of a frame sets colours and a language, and no words and no way out',
  async ({ page, demo }) => {
    await page.goto(`${demo.url}/saltmarsh/`);
    const address = new URL((await page.locator('iframe').getAttribute('src'))!, page.url());
    const given = {
      theme: 'dark',
      accent: '#b91c1c',
      locale: 'de',
      name: 'Free prizes',
      fallback: 'https://elsewhere.example',
      labels: '{"message":"Your password"}',
      launcher: 'body',
      mode: 'bubble',
    };
    for (const [name, value] of Object.entries(given)) address.searchParams.set(name, value);
    await page.goto(address.href);
    const panel = page.getByRole('region');
    await expect(panel.getByRole('textbox', { name: 'Nachricht' })).toBeVisible();
    await expect(panel).toHaveAttribute('data-theme', 'dark');
    await expect(panel).toHaveAttribute('lang', 'de');
    const accent = () =>
      panel.evaluate((element) => getComputedStyle(element).getPropertyValue('--parley-accent'));
    await expect.poll(accent).toBe('#b91c1c');
    expect(await panel.innerText()).not.toContain('Free prizes');
    expect(await page.getByRole('link', { name: 'elsewhere' }).count()).toBe(0);
  },
);
