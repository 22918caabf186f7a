import { expect, test as base } from '@playwright/test';
import { type Chat, chatIn, numberedWords } from './chat.ts';
import { asked, ended, event, step } from './recorded-turns.ts';
import { startMockService, type MockService } from './mock-service.ts';
import { settledScroll } from './settled-scroll.ts';
import { enter } from './states.ts';

const long = numberedWords(900);

const test = base.extend<{ service: MockService; chat: Chat }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
  service: async ({}, use) => {
    const service = await startMockService({
      events: [...asked(1, 'one'), event('message.appended', { ...step(1), messageDelta: long })],
    });
    await use(service);
    await service.close();
  },
  chat: async ({ page, service }, use) => {
    await enter(page, service.url, { shows: 'w900' });
    await use(chatIn(page));
  },
});

const take = (service: MockService, sequence: number, message: string) =>
  [...ended(sequence - 1), ...asked(sequence, message)].forEach((each) => service.write(each));

test('who reads further up is not moved when one of several queued messages is taken', async ({
  page,
  service,
  chat,
}) => {
  for (const text of ['two', 'three']) await chat.say(text);
  await expect(chat.log.getByText('Queued')).toHaveCount(2);
  const bottom = await settledScroll(chat.log);
  await chat.log.hover();
  await page.mouse.wheel(0, -400);
  await expect(page.getByRole('button', { name: /Latest messages|new message/ })).toBeVisible();
  const before = await settledScroll(chat.log);
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(bottom);
  take(service, 2, 'two');
  await expect(chat.log.getByText('Queued')).toHaveCount(1);
  expect(await settledScroll(chat.log)).toBe(before);
});

test('a queued message that is taken goes on where it stands, at the end of the answer before it', async ({
  service,
  chat,
}) => {
  await chat.say('two');
  await expect(chat.log.getByText('Queued')).toHaveCount(1);
  take(service, 2, 'two');
  await expect(chat.log.getByText('Queued')).toHaveCount(0);
  await expect(chat.log.locator('.working')).toBeVisible();
  const [frame, bubble] = await Promise.all([
    chat.log.boundingBox(),
    chat.log.locator('.bubble').last().boundingBox(),
  ]);
  expect(bubble!.y - frame!.y).toBeGreaterThan(frame!.height / 2);
});

test('who turns the wheel as a line is added stays there, although the scrolling to that line is told later', async ({
  chat,
}) => {
  const hidden = await chat.log.evaluate(async (log) => {
    const content = log.firstElementChild!;
    const grow = () => content.append(Object.assign(document.createElement('p'), { style: 'height: 200px' }));
    const frames = async () => {
      for (let count = 0; count < 3; count++) await new Promise(requestAnimationFrame);
    };
    await new Promise<void>((resolve) => {
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        log.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 }));
        resolve();
      });
      observer.observe(content);
      grow();
    });
    await frames();
    grow();
    await frames();
    return log.scrollHeight - log.scrollTop - log.clientHeight;
  });
  expect(hidden).toBeGreaterThan(150);
});

test('what the reader has selected stays selected while the paragraph grows and ends', async ({
  page,
  service,
  chat,
}) => {
  const paragraph = chat.log.getByRole('paragraph').filter({ hasText: 'w900' });
  await expect(page.locator('.menu > summary')).toBeVisible();
  await paragraph.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const text = walker.nextNode() as Text;
    getSelection()!.setBaseAndExtent(text, 0, text, 8);
  });
  const selected = () =>
    paragraph.evaluate((element) => {
      // In a shadow root the browser has it apart from that of the page.
      const root = element.getRootNode() as ShadowRoot & { getSelection(): Selection };
      return root.getSelection().toString();
    });
  expect(await selected()).toBe('w1 w2 w3');
  const appended = (messageDelta: string) => event('message.appended', { ...step(1), messageDelta });
  for (const [delta, shown] of [
    [' and **more', 'and more'],
    [' of** it', 'of it'],
    [' to the end.', 'to the end.'],
  ] as const) {
    service.write(appended(delta));
    await expect(paragraph).toContainText(shown);
    expect(await selected()).toBe('w1 w2 w3');
  }
  service.write(appended('\n\nThe next one.'));
  await expect(chat.log.getByText('The next one.')).toBeVisible();
  expect(await selected()).toBe('w1 w2 w3');
});
