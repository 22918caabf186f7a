import { createHash } from 'node:crypto';
import { expect } from '@playwright/test';
import { chatIn, numberedWords } from '../chat.ts';
import { talk, test } from './scene.ts';

type ChatElement = Element & { widget?: object; prefill(text: string): Promise<void> };

test('script tag: calls from before the script, the page’s own launcher, its events and its say', async ({
  page,
  openScene,
}) => {
  await openScene('script-tag');
  const heard = page.getByRole('list', { name: 'What the page has heard' });
  await page.getByRole('link', { name: 'Help' }).click();
  const chat = chatIn(page);
  await expect(chat.field).toBeFocused();
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeHidden();
  await chat.say('My card is 4111 1111 1111 1111');
  await expect(chat.field).toHaveValue('My card is 4111 1111 1111 1111');
  await chat.say('When are you open?');
  await expect(chat.log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  await expect(heard).toContainText('parley:message {"role":"visitor","text":"When are you open?"');
  await expect(heard).toContainText('parley:message {"role":"agent"');
  const types = (await heard.innerText()).match(/^parley:\w+/gm);
  expect(types).toEqual(['parley:open', 'parley:ready', 'parley:message', 'parley:message']);
  await chat.field.press('Escape');
  await expect(page.getByRole('link', { name: 'Help' })).toBeFocused();
  await page.getByRole('button', { name: 'Write for me' }).click();
  await expect(chat.field).toHaveValue('When are you open?');
});

test('script tag: a button of the page opens the chat and asks', async ({ page, openScene }) => {
  await openScene('script-tag');
  await page.getByRole('button', { name: 'Where is order 1042?' }).click();
  await expect(chatIn(page).log).toContainText('left the workshop on Tuesday');
});

for (const [scene, script] of [
  ['iframe', '**/scenes/iframe.js'],
  ['frame', '**/apps/assets/frame-*.js'],
] as const) {
  test(`${scene}: page and frame tell each other what is unread, how tall to be and when to close`, async ({
    page,
    openScene,
    script: setScript,
    finishRoads,
  }) => {
    const look = { call: 'check_roads', input: { region: 'all' } };
    await setScript([{ steps: [{ say: 'One moment. ' }, look, { say: numberedWords(300) }] }]);
    await openScene(scene);
    const toggle = page.getByRole('button', { name: 'Chat with Fern' });
    await expect(toggle).toHaveAttribute('data-ready', '');
    const frame = page.locator('iframe');
    await expect(frame).toHaveAttribute('data-height', /^[1-9]\d+$/);
    const before = Number(await frame.getAttribute('data-height'));
    const chat = chatIn(page.frameLocator('iframe'));
    await chat.say('Count');
    await expect(chat.log).toContainText('One moment');
    await chat.field.press('Escape');
    await expect(frame).toBeHidden();
    await expect(toggle).toBeFocused();
    finishRoads();
    await expect(page.locator('#unread')).toHaveText('1 unread');
    await toggle.click();
    await expect(page.locator('#unread')).toHaveText('');
    await expect(chat.log).toContainText('w300');
    await expect.poll(async () => Number(await frame.getAttribute('data-height'))).toBeGreaterThan(before);
  });

  test(`${scene}: a page that listens only when the frame has long been there hears of it`, async ({
    page,
    openScene,
  }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(script, async (route) => {
      await promise;
      await route.continue();
    });
    const opened = openScene(scene);
    await expect(chatIn(page.frameLocator('iframe')).field).toBeVisible();
    resolve();
    await opened;
    await expect(page.getByRole('button', { name: 'Chat with Fern' })).toHaveAttribute('data-ready', '');
  });
}

test('iframe: a page that takes the channel from elsewhere in the window gets nothing', async ({
  page,
  openScene,
}) => {
  await openScene('iframe');
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toHaveAttribute('data-ready', '');
  await page.frames()[1]!.evaluate(() =>
    // After the widget's own listener: what that says into a channel arrives before this.
    addEventListener('message', ({ ports }) => ports[0]!.postMessage('seen')),
  );
  const heard = await page.evaluate(() => {
    const frame = document.querySelector('iframe')!;
    const { port1, port2 } = new MessageChannel();
    // The channel was handed over already: a second one is not taken.
    frame.contentWindow!.postMessage('parley:connect', new URL(frame.src).origin, [port2]);
    port1.postMessage({ type: 'close' });
    const messages: unknown[] = [];
    return new Promise((resolve) => {
      port1.onmessage = ({ data }) => {
        messages.push(data);
        if (data === 'seen') resolve(messages);
      };
    });
  });
  expect(heard).toEqual(['seen']);
});

test('Vite: the element in the page and a bubble beside it', async ({ page, openScene }) => {
  await openScene('vite');
  const element = page.locator('parley-chat');
  await element.getByRole('textbox', { name: 'Message', exact: true }).fill('What are your hours?');
  await element.getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
  await expect(element.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  await expect(page.locator('#last')).toContainText('agent:');
  const place = await page.locator('.place').boundingBox();
  const panel = await element.locator('#panel').boundingBox();
  expect([panel?.width, panel?.height]).toEqual([place!.width - 2, place!.height - 2]);
  await expect(page.getByRole('button', { name: 'Chat in a bubble' })).toBeVisible();
});

test('Vite: an element has its widget, and takes calls, in the tick in which it is inserted or set anew', async ({
  page,
  openScene,
}) => {
  await openScene('vite');
  const element = page.locator('parley-chat');
  const field = element.getByRole('textbox', { name: 'Message', exact: true });
  await expect(field).toBeVisible();
  await element.evaluate(async (before) => {
    const chat = before.cloneNode() as ChatElement;
    before.replaceWith(chat);
    if (!chat.widget) throw new Error('It has no widget.');
    await chat.prefill('Just inserted');
  });
  await expect(field).toHaveValue('Just inserted');
  await element.evaluate((chat) => {
    chat.setAttribute('widget-id', 'another');
    return (chat as Element as ChatElement).prefill('Just set anew');
  });
  await expect(field).toHaveValue('Just set anew');
});

test('React: events reach the component, and a chat that was taken away comes back', async ({
  page,
  openScene,
}) => {
  await openScene('react');
  const chat = chatIn(page);
  await chat.say('When are you open?');
  await expect(chat.log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  await expect(page.locator('#last')).toContainText('agent:');
  await page.getByRole('button', { name: 'Take the chat away' }).click();
  await expect(page.locator('parley-chat')).toHaveCount(0);
  await page.getByRole('button', { name: 'Bring the chat back' }).click();
  await expect(chat.log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
});

test('inline: the panel fills its container and needs no launcher', async ({ page, openScene }) => {
  await openScene('inline');
  const chat = chatIn(page);
  await chat.say('When are you open?');
  await expect(chat.log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toHaveCount(0);
  const place = await page.locator('#conversation').boundingBox();
  const panel = await page.locator('#conversation #panel').boundingBox();
  expect([panel?.width, panel?.height]).toEqual([place!.width - 2, place!.height - 2]);
});

test('two widgets: each has its own launcher, agent and conversation', async ({ page, openScene }) => {
  await openScene('two');
  const fern = page.locator('[data-parley="fern"]');
  const wren = page.locator('[data-parley="wren"]');
  await page.getByRole('button', { name: 'Cabins: ask Wren' }).click();
  await wren.getByRole('textbox', { name: 'Message', exact: true }).fill('What should I pack?');
  await wren.getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
  await expect(wren.getByRole('log')).toContainText('rubber boots');
  await expect(fern.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await fern.getByRole('textbox', { name: 'Message', exact: true }).fill('When are you open?');
  await fern.getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
  await expect(fern.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  await expect(fern.getByRole('log')).not.toContainText('rubber boots');
  await expect(wren.getByRole('log')).not.toContainText('9:00 to 16:00');
  await page.evaluate(() => (globalThis as { parley?: (call: string) => unknown }).parley?.('fern.destroy'));
  await expect(fern).toHaveCount(0);
  await expect(wren.getByRole('log')).toContainText('rubber boots');
});

test('single page: the widget goes with its route and comes back with its conversation', async ({
  page,
  openScene,
}) => {
  await openScene('spa');
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible();
  await expect(launcher).toHaveCount(0);
  await page.getByRole('link', { name: 'Workshop' }).click();
  const chat = await talk(page);
  await page.getByRole('link', { name: 'About us' }).click();
  await expect(launcher).toHaveCount(0);
  await expect(chat.log).toHaveCount(0);
  await page.goBack();
  await expect(launcher).toHaveCount(1);
  await expect(chat.log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
});

test('single page: destroyed while its panel is under way, and made twice, there is one widget', async ({
  page,
  openScene,
}) => {
  await openScene('spa');
  await page.getByRole('link', { name: 'Workshop' }).click();
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
  await page.evaluate(async () => {
    const { parley } = globalThis;
    const { parleyKey: key } = document.getElementById('loader')!.dataset;
    const opening = parley('open').catch(() => {});
    await parley('destroy');
    await opening;
    for (let round = 0; round < 3; round++) await parley('init', { key, name: 'Chat with Fern' });
    await parley('open');
  });
  await expect(page.locator('[data-parley]')).toHaveCount(1);
  await expect(chatIn(page).field).toBeVisible();
});

test('strict policy: a pinned loader holds every module to its hash, and loads none before it is wanted', async ({
  page,
  openScene,
  script,
}) => {
  await script([{ steps: [{ say: 'Like this:\n\n```js\nconst days = 7;\n```\n' }] }]);
  const names = (addresses: string[]) =>
    [...new Set(addresses)].map((each) => /assets\/(\w+)-[\w-]+\.js$/.exec(each)?.[1] ?? each).toSorted();
  const verified = () =>
    page
      .locator('link[rel=modulepreload]')
      .evaluateAll((links) =>
        (links as HTMLLinkElement[])
          .filter((link) => /^sha256-.{43}=$/.test(link.integrity))
          .map(({ href }) => href),
      )
      .then(names);
  const loaded = () =>
    page
      .evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
      .then((resources) => names(resources.filter((name) => name.includes('/assets/'))));
  await openScene('strict');
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  const chat = chatIn(page);
  await expect(page.getByRole('dialog').getByLabel('Menu')).toBeVisible();
  const later = ['cards', 'controls', 'parts', 'serving', 'shell', 'text', 'thread'];
  const expected = ['hashes', 'panel', ...later].toSorted();
  await expect.poll(loaded).toEqual(expected);
  expect(await verified()).toEqual(expected);
  await chat.say('How many days?');
  await expect(chat.log.locator('.keyword')).toHaveText('const');
  // What is offered under an answer that has ended comes last.
  await expect(chat.log.getByRole('button', { name: 'Good answer' })).toBeVisible();
  const all = [...expected, 'code', 'colour', 'rating'].toSorted();
  await expect.poll(loaded).toEqual(all);
  expect(await verified()).toEqual(all);
});

test('strict policy: a later module that was changed on the way does not run', async ({
  page,
  demo,
  script,
}) => {
  await script([{ steps: [{ say: 'Like this:\n\n```js\nconst days = 7;\n```\n' }] }]);
  await page.route('**/assets/colour-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()};document.title='changed'` });
  });
  await page.goto(`${demo.url}/scenes/strict.html`);
  const refused = page.waitForEvent('console', (message) => message.text().includes('integrity'));
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await chatIn(page).say('How many days?');
  await refused;
  await expect(chatIn(page).log.locator('pre')).toHaveText('const days = 7;');
  expect(await page.title()).not.toBe('changed');
});

test('strict policy: a module that was changed on the way does not run for another that imports it later', async ({
  page,
  demo,
}) => {
  await page.route('**/assets/parts-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `globalThis.changed = true;${await response.text()}` });
  });
  let failures = 0;
  page.on('console', (message) => {
    if (message.text().startsWith('Parley:')) failures++;
  });
  await page.goto(`${demo.url}/scenes/strict.html`);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  // Each of the two, and one of them again.
  await expect.poll(() => failures).toBeGreaterThan(2);
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  expect(await page.evaluate(() => 'changed' in globalThis)).toBe(false);
});

test('strict policy: a module that was changed on the way does not run', async ({ page, demo }) => {
  await page.route('**/assets/panel-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `globalThis.changed = true;${await response.text()}` });
  });
  await page.goto(`${demo.url}/scenes/strict.html`);
  const failed = page.waitForEvent('console', (message) => message.text().startsWith('Error: '));
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await failed;
  expect(await page.evaluate(() => 'changed' in globalThis)).toBe(false);
});

test('dark: the panel is dark on a system that is not', async ({ page, openScene }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await openScene('dark');
  await talk(page);
  const surface = await page.getByRole('dialog').evaluate((panel) => getComputedStyle(panel).backgroundColor);
  expect(Math.max(...surface.match(/\d+/g)!.slice(0, 3).map(Number))).toBeLessThan(60);
});

test('right to left: launcher and panel stand on the left, and the words are Arabic', async ({
  page,
  openScene,
}) => {
  await openScene('rtl');
  const launcher = page.getByRole('button', { name: 'تحدث مع فيرن' });
  await launcher.click();
  const panel = page.getByRole('dialog');
  await expect(panel).toBeVisible();
  expect((await launcher.boundingBox())!.x).toBeLessThan(100);
  expect((await panel.boundingBox())!.x).toBeLessThan(100);
  expect(await panel.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
});

test('hostile styles do not change a pixel of the widget', async ({ page, openScene }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const pictures = async (scene: string) => {
    await openScene(scene);
    const launcher = page.getByRole('button', { name: 'Chat with Fern' });
    await expect(launcher).toBeVisible();
    await launcher.click();
    const panel = page.getByRole('dialog');
    await expect(panel.getByText('Plan a four day tour')).toBeVisible();
    await expect(panel.getByLabel('Menu')).toBeVisible();
    await page.mouse.move(1, 1);
    await expect(chatIn(page).field).toBeFocused();
    const box = (await panel.boundingBox())!;
    const inside = { x: box.x + 12, y: box.y + 12, width: box.width - 24, height: box.height - 24 };
    const edge = (await launcher.boundingBox())!;
    const core = { x: edge.x + 12, y: edge.y + 12, width: edge.width - 24, height: edge.height - 24 };
    const shoot = (clip: typeof core) =>
      page
        .screenshot({ clip, animations: 'disabled', caret: 'hide' })
        .then((picture) => createHash('sha256').update(picture).digest('hex'));
    const open = { panel: await shoot(inside), launcher: await shoot(core) };
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    return { box, edge, open, closed: await shoot(core) };
  };
  // A part that comes late may come between the two; what a style of the page changes is changed each time.
  await expect(async () => {
    const calm = await pictures('calm');
    expect(await pictures('hostile')).toEqual(calm);
  }).toPass();
});
