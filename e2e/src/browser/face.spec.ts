import { expect, type Page } from '@playwright/test';
import { chatIn } from './chat.ts';
import { picture } from './picture.ts';
import { type RunningDemo, test } from './running-demo.ts';

const avatar = `data:image/png;base64,${picture(16, 16).toString('base64')}`;
const looks = { name: 'Wren', accent: '#7c2d12', theme: 'dark', position: 'start', avatar };

/** A page with nothing but a script tag, whose address names the key. */
async function openKeyed(page: Page, demo: RunningDemo, key?: string) {
  await page.goto(`${demo.url}/fernhill/`);
  const given = key ?? (await page.locator('script[data-key]').getAttribute('data-key'));
  await page.goto(`${demo.url}/no-such-page`);
  await page.addScriptTag({ url: `${demo.service}/v1/parley.js?key=${given}` });
}

test.beforeEach(({ demo }) => demo.configure({ widget: looks }));
test.afterEach(({ demo }) =>
  demo.configure({
    widget: {
      name: 'Fern at Fernhill Cycles',
      accent: '#1f6b4a',
      theme: null,
      position: null,
      avatar: null,
      languages: null,
    },
  }),
);

test('a script with a key has the launcher right from its first paint, in one request', async ({
  page,
  demo,
}) => {
  let requested: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (request.isNavigationRequest()) requested = [];
    else if (origin === new URL(demo.service).origin) requested.push(pathname);
  });
  await openKeyed(page, demo);
  const launcher = page.getByRole('button', { name: 'Wren' });
  await expect(launcher).toHaveCSS('background-color', 'rgb(124, 45, 18)');
  await expect(launcher).toHaveCSS('background-image', `url("${avatar}")`);
  expect((await launcher.boundingBox())!.x).toBe(20);
  expect(requested).toEqual(['/v1/parley.js']);
});

test('the agent has its picture in the panel and beside what it says', async ({ page, demo, script }) => {
  await script([{ steps: [{ say: 'Hello.' }] }]);
  await openKeyed(page, demo);
  await page.getByRole('button', { name: 'Wren' }).click();
  const dialog = page.getByRole('dialog', { name: 'Wren' });
  await expect(dialog.locator('.header img')).toHaveJSProperty('naturalWidth', 16);
  await expect(dialog.locator('.empty img')).toBeVisible();
  await chatIn(page).say('Hi');
  await expect(dialog.locator('.turn .speaker')).toHaveText('Wren');
  await expect(dialog.locator('.turn .speaker img')).toBeVisible();
});

test('a tag without a key in its address takes the place and the picture from the settings', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/fernhill/`);
  const launcher = page.locator('.launcher');
  await launcher.click();
  await expect(launcher).toHaveAttribute('data-side', 'start');
  await expect(page.getByRole('dialog')).toHaveAttribute('data-side', 'start');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(launcher).toHaveCSS('background-image', `url("${avatar}")`);
});

test('a key that does not exist shows no launcher, with and without it in the address', async ({
  page,
  demo,
}) => {
  const said = page.waitForEvent('console', (message) => message.text().startsWith('Parley:'));
  await openKeyed(page, demo, 'pk_live_0123456789012345678901234567890123456789');
  expect((await said).text()).toContain('There is no such publishable key.');
  await expect(page.locator('[data-parley]')).toHaveCount(0);

  await page.route('**/v1/config?*', (route) =>
    route.fulfill({ json: { ok: false, reason: 'unknown-key', message: 'There is no such key.' } }),
  );
  await page.goto(`${demo.url}/fernhill/`);
  await page.locator('.launcher').hover();
  await expect(page.locator('.launcher')).toBeHidden();
});

test('greeting and prompts are in the visitor’s language', async ({ page, demo }) => {
  await demo.configure({
    widget: {
      languages: {
        de: { greeting: 'Womit kann ich helfen?', prompts: ['Wo ist mein Rad?'] },
        fr: { greeting: 'Bienvenue ! '.repeat(40).trim() },
      },
    },
  });
  await openKeyed(page, demo);
  await page.getByRole('button', { name: 'Wren' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('.greeting')).not.toHaveText('Womit kann ich helfen?');
  await page.evaluate(() => globalThis.parley('update', { locale: 'de-AT' }));
  await expect(dialog.locator('.greeting')).toHaveText('Womit kann ich helfen?');
  await expect(dialog.locator('.greeting')).toHaveCSS('font-weight', '600');
  await expect(dialog.getByRole('button', { name: 'Wo ist mein Rad?' })).toBeVisible();
  // One that is no headline leaves room for what else there is.
  await page.evaluate(() => globalThis.parley('update', { locale: 'fr' }));
  await expect(dialog.locator('.greeting')).toHaveCSS('font-weight', '400');
});

test('where the chat does not work, a visitor is told what else to do', async ({ page, demo }) => {
  await page.route('**/v1/config?*', (route) =>
    route.fulfill({ json: { ok: false, reason: 'agent-inactive', message: 'The agent is not active.' } }),
  );
  await page.addInitScript(() => {
    Object.assign(globalThis, { parleySettings: { fallback: 'mailto:shop@fernhill.example' } });
  });
  await page.goto(`${demo.url}/fernhill/`);
  await page.locator('.launcher').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The assistant is not available at the moment.');
  await expect(dialog.getByRole('link', { name: 'Contact us another way' })).toHaveAttribute(
    'href',
    'mailto:shop@fernhill.example',
  );
  await page.goto(`${demo.url}/apps/vite.html`);
  await page.locator('parley-chat').evaluate((element) => element.setAttribute('fallback', 'tel:+4940123'));
  await expect(page.getByRole('link', { name: 'Contact us another way' })).toHaveAttribute(
    'href',
    'tel:+4940123',
  );
});

test('what a visitor is told where the chat does not work stands in the middle', async ({ page, demo }) => {
  await page.route('**/v1/config?*', (route) =>
    route.fulfill({ json: { ok: false, reason: 'agent-inactive', message: 'The agent is not active.' } }),
  );
  await page.goto(`${demo.url}/fernhill/`);
  await page.locator('.launcher').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The assistant is not available at the moment.');
  const [panel, words] = await Promise.all([dialog.boundingBox(), dialog.getByRole('status').boundingBox()]);
  const middle = panel!.y + panel!.height / 2;
  expect(Math.abs(words!.y + words!.height / 2 - middle)).toBeLessThan(80);
});
