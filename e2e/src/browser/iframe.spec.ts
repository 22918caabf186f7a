import { expect, type FrameLocator, type Page } from '@playwright/test';
import { chatIn } from './chat.ts';
import { test } from './running-demo.ts';

test('the iframe holds a conversation of its own', async ({ page, demo }) => {
  await page.goto(`${demo.url}/saltmarsh/`);
  const chat = chatIn(page.frameLocator('iframe'));
  await chat.say('What is the weather in Eastness?');
  await expect(chat.log).toContainText('In Eastness it is 14 °C');
});

test('a question in the iframe leads to an approval', async ({ page, demo }) => {
  await page.goto(`${demo.url}/saltmarsh/`);
  const frame = page.frameLocator('iframe');
  const chat = chatIn(frame);
  await chat.say('Hold a cabin for Friday');
  await frame.getByRole('button', { name: 'Curlew' }).click();
  const approval = frame.getByRole('group', { name: 'Hold cabin' });
  await expect(approval).toContainText('Curlew');
  await approval.getByRole('button', { name: 'Approve' }).click();
  await expect(chat.log).toContainText('Curlew is held for you from Friday');
});

for (const [place, style, fontSize] of [
  ['320 × 280', 'inline-size: 320px; block-size: 280px', 16],
  ['420 px high', 'inline-size: 400px; block-size: 420px', 16],
  ['420 px high with text of 200 %', 'inline-size: 400px; block-size: 420px', 32],
  ['a telephone that lies', 'position: fixed; inset: 0; inline-size: 844px; block-size: 300px', 16],
] as const)
  test(`an approval in a frame that it is higher than can be given: ${place}`, async ({ page, demo }) => {
    await page.goto(`${demo.url}/saltmarsh/`);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: fontSize } });
    await page.locator('iframe').evaluate((element, given) => (element.style.cssText = given), style);
    const frame = page.frameLocator('iframe');
    const chat = chatIn(frame);
    await chat.say('Hold a cabin for Friday');
    await frame.getByRole('button', { name: 'Curlew' }).click();
    const approval = frame.getByRole('group', { name: 'Hold cabin' });
    await approval.getByRole('button', { name: 'Approve' }).click();
    await expect(chat.log).toContainText('Curlew is held for you from Friday');
  });

test('a page that the key does not list cannot frame the chat', async ({ page, demo }) => {
  await page.goto(`${demo.url}/saltmarsh/`);
  const source = (await page.locator('iframe').getAttribute('src')) ?? '';
  const foreign = demo.url.replace('localhost', 'foreign.localhost');
  await page.route(`${foreign}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<iframe src="${source}"></iframe>` }),
  );
  await page.goto(`${foreign}/`);
  await expect.poll(() => page.frames().at(1)?.url()).toBe('chrome-error://chromewebdata/');
});

test('whoever has left the iframe for the page is not called back when what they last used is gone', async ({
  page,
  demo,
}) => {
  const open = async (tab: Page) => {
    await tab.goto(`${demo.url}/saltmarsh/`);
    return tab.frameLocator('iframe');
  };
  const begin = (frame: FrameLocator) => frame.getByRole('button', { name: 'New conversation' });
  const frame = await open(page);
  await chatIn(frame).say('What is the weather in Eastness?');
  await expect(chatIn(frame).log).toContainText('In Eastness it is 14 °C');
  const other = await open(await page.context().newPage());
  await page.bringToFront();
  await begin(frame).focus();
  const link = page.getByRole('link').first();
  await link.focus();
  await begin(other).click();
  await expect(begin(frame)).toHaveCount(0);
  await expect(link).toBeFocused();
});

test('Escape closes the menu in the frame, and then asks the page to close the frame', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/saltmarsh/`);
  const frame = page.frameLocator('iframe');
  await expect(chatIn(frame).field).toBeVisible();
  const asked = await page.evaluateHandle(() => {
    const messages: unknown[] = [];
    const { contentWindow, src } = document.querySelector('iframe')!;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<{ type: string }>) => messages.push(data.type);
    contentWindow!.postMessage('parley:connect', new URL(src).origin, [port2]);
    return messages;
  });
  const heard = () => asked.evaluate((messages) => messages);
  await expect.poll(heard).toContain('ready');
  const menu = frame.locator('.menu > summary');
  await menu.click();
  await expect(frame.locator('.menu')).toHaveAttribute('open');
  await page.keyboard.press('Escape');
  await expect(frame.locator('.menu')).not.toHaveAttribute('open');
  await chatIn(frame).field.press('Escape');
  await expect.poll(heard).toContain('close');
  expect((await heard()).filter((type) => type === 'close')).toHaveLength(1);
});

test('a frame that is made as high as its conversation would like to be grows no further', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/saltmarsh/`);
  const frame = page.frameLocator('iframe');
  const chat = chatIn(frame);
  await expect(chat.field).toBeVisible();
  await page.evaluate(() => {
    const element = document.querySelector('iframe')!;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<{ type: string; height: number }>) => {
      if (data.type === 'size') element.style.height = `${data.height}px`;
    };
    element.contentWindow!.postMessage('parley:connect', new URL(element.src).origin, [port2]);
  });
  for (const count of [1, 2, 3]) {
    await chat.say('What is the weather in Eastness?');
    await expect(chat.log.getByText('In Eastness it is 14 °C').and(frame.locator(':visible'))).toHaveCount(
      count,
    );
    await expect(frame.getByRole('button', { name: 'Stop' })).toHaveCount(0);
  }
  const spoken = await chat.log
    .locator('.turn')
    .evaluateAll((turns) => turns.reduce((sum, turn) => sum + turn.getBoundingClientRect().height, 0));
  const frameHeight = (await page.locator('iframe').boundingBox())!.height;
  // A header, the field, and what is between the turns.
  expect(frameHeight - spoken).toBeLessThan(300);
  expect(frameHeight - spoken).toBeGreaterThan(100);
});
