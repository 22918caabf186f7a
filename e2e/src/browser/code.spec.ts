import { expect, type Page, test as base } from '@playwright/test';
import { startMockService, type Recorded, type MockService } from './mock-service.ts';
import { asked, ended, event, said } from './recorded-turns.ts';

const code = `// How long until Friday?\nconst days = (5 - new Date().getDay() + 7) % 7;\nconsole.log(\`\${days} days\`, /x"y/);`;
const answer = `Like this:\n\n\`\`\`js\n${code}\n\`\`\`\n\nAsk again on Friday.`;
const appended = (messageDelta: string) =>
  event('message.appended', { sequence: 1, turnId: 'turn_1', stepIndex: 0, messageDelta });

const test = base.extend<{ play: (events: Recorded[]) => Promise<MockService>; chunks: string[] }>({
  chunks: async ({ page }, use) => {
    const chunks: string[] = [];
    page.on('request', (request) => {
      const address = request.url();
      if (address.includes('/assets/colour-') && !chunks.includes(address)) chunks.push(address);
    });
    await use(chunks);
  },
  play: async ({ page }, use) => {
    const mocks: MockService[] = [];
    await use(async (events) => {
      const mock = await startMockService({ events });
      mocks.push(mock);
      await page.addInitScript(() =>
        localStorage.setItem(
          `parley:${location.origin}:pk_stage`,
          JSON.stringify({ sessionId: 's1', continuationToken: 't1' }),
        ),
      );
      await page.goto(mock.url);
      await page.getByRole('button', { name: 'Chat with Fern' }).click();
      return mock;
    });
    for (const mock of mocks) await mock.close();
  },
});

const fence = (page: Page) => page.getByRole('log').locator('pre code');

/** How far each kind of word stands out from what is behind it. */
const contrasts = (page: Page) =>
  fence(page).evaluate((element) => {
    const luminance = (colour: string) =>
      colour
        .match(/\d+/g)!
        .slice(0, 3)
        .map((value) => Number(value) / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
        .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index]!, 0.05);
    const surface = luminance(getComputedStyle(element.closest('.code')!).backgroundColor);
    const sample = document.createElement('span');
    element.append(sample);
    const kinds = ['comment', 'string', 'number', 'keyword', 'name', 'type', 'inserted', 'deleted'];
    const found = kinds.map((kind) => {
      sample.className = kind;
      const text = luminance(getComputedStyle(sample).color);
      return Math.max(text, surface) / Math.min(text, surface);
    });
    sample.remove();
    return found;
  });

test('a fence is told apart in colours that can be read in either theme, its text untouched; forced colours are the visitor’s own', async ({
  page,
  play,
}) => {
  await play([...asked(1, 'How long?'), ...said(1, answer), ...ended(1)]);
  const comment = fence(page).locator('.comment');
  await expect(comment).toHaveText('// How long until Friday?');
  await expect(fence(page).locator('.keyword')).toHaveText(['const', 'new']);
  expect(await fence(page).evaluate((element) => element.textContent)).toBe(code);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(Math.min(...(await contrasts(page)))).toBeGreaterThan(4.5);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  const colourOf = (element: Element) => getComputedStyle(element).color;
  expect(await comment.evaluate(colourOf)).toBe(await fence(page).evaluate(colourOf));
});

test('colours come when the fence is closed, not while it is being said', async ({ page, play, chunks }) => {
  const mock = await play(asked(1, 'How long?'));
  await expect(page.getByRole('log')).toContainText('How long?');
  mock.write(appended(`Like this:\n\n\`\`\`js\n${code.slice(0, 40)}`));
  await expect(fence(page)).toContainText('const days');
  // Once more of it is shown, what the first piece has led to is under way.
  mock.write(appended(code.slice(40, 60)));
  await expect(fence(page)).toContainText('new Date');
  expect(chunks).toEqual([]);
  mock.write(appended(`${code.slice(60)}\n\`\`\`\n\nAsk again `));
  await expect(fence(page).locator('.keyword').first()).toHaveText('const');
  expect(await fence(page).evaluate((element) => element.textContent)).toBe(code);
  expect(chunks).toHaveLength(1);
});

test('what no grammar is known for is plain and loads nothing', async ({ page, play, chunks }) => {
  await play([
    ...asked(1, 'How long?'),
    ...said(1, '```mermaid\nconst a\n```\n\n```\nconst b\n```\n\nDone.'),
    ...ended(1),
  ]);
  await expect(page.getByRole('log').getByText('Done.')).toBeVisible();
  await expect(fence(page)).toHaveText(['const a', 'const b']);
  expect(chunks).toEqual([]);
});

test('without the colours the code is there all the same, and is copied as it was said', async ({
  page,
  play,
  chunks,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.route('**/assets/colour-*.js', (route) => route.abort());
  await play([...asked(1, 'How long?'), ...said(1, answer), ...ended(1)]);
  await expect(fence(page)).toHaveText(code);
  await expect.poll(() => chunks.length).toBe(1);
  await expect(fence(page).locator('span')).toHaveCount(0);
  await page.getByRole('log').getByRole('button', { name: 'Copy' }).first().click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});
