import { expect, type Frame, type Request } from '@playwright/test';
import { chatIn, openFernhill } from '../chat.ts';
import { cutLinks } from '../link.ts';
import { parley } from '../parley.ts';
import { blockStorage, test } from './resilience.ts';
import { identify, identitySecret, sign } from '../visitor-token.ts';

/** Everything that a document of the page keeps; nothing where the browser does not let it, as in a foreign frame. */
const keptIn = (frame: Frame) =>
  frame.evaluate(async () => {
    const places: (() => readonly unknown[] | Promise<readonly unknown[]>)[] = [
      () => Object.keys(localStorage),
      () => Object.keys(sessionStorage),
      () => document.cookie.split(';').filter(Boolean),
      () => indexedDB.databases(),
      () => caches.keys(),
      () => navigator.serviceWorker.getRegistrations(),
    ];
    const kept = places.map(async (look) => look());
    return (await Promise.allSettled(kept)).flatMap((each) =>
      each.status === 'fulfilled' ? each.value : [],
    );
  });

/** Each way to embed the widget, and how its panel comes to be seen. */
const modes: Record<string, { address: string; open?: string; framed?: boolean }> = {
  'a script tag': { address: '/scenes/calm.html', open: 'Chat with Fern' },
  'a widget from npm': { address: '/apps/vite.html', open: 'Chat in a bubble' },
  'an element': { address: '/apps/react.html' },
  'an inline panel': { address: '/scenes/inline.html' },
  'an iframe': { address: '/scenes/iframe.html', framed: true },
};

for (const [mode, { address, open, framed }] of Object.entries(modes))
  test(`${mode} stores nothing and says nothing of the visitor before they do something`, async ({
    page,
    demo,
    context,
  }) => {
    const requests: Request[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(demo.service)) requests.push(request);
    });
    await page.goto(demo.url + address);
    if (open) await expect(page.getByRole('button', { name: open })).toBeVisible();
    else await expect(chatIn(framed ? page.frameLocator('iframe') : page).field).toBeVisible();
    for (const frame of page.frames()) expect(await keptIn(frame)).toEqual([]);

    if (open) await page.getByRole('button', { name: open }).click();
    // The greeting comes with the configuration, the menu with the last that is asked for.
    const place = framed ? page.frameLocator('iframe') : page;
    for (const part of [place.getByText('Hello! Ask me'), place.locator('summary[aria-label=Menu]')])
      await expect(part.last()).toBeVisible();
    await page.waitForLoadState('networkidle');
    const { origins, cookies } = await context.storageState({ indexedDB: true });
    expect([origins.filter(({ localStorage }) => localStorage.length > 0), cookies]).toEqual([[], []]);
    const plain = /^GET \/(v1\/(parley\.js|config\?key=pk_\w+|frame\?key=pk_\w+)|assets\/)$/;
    for (const request of requests) {
      const { pathname, search } = new URL(request.url());
      expect(`${request.method()} ${pathname.replace(/\/assets\/.*/, '/assets/')}${search}`).toMatch(plain);
      const { cookie, authorization, 'x-parley-visitor-token': token } = await request.allHeaders();
      expect([cookie, authorization, token]).toEqual([undefined, undefined, undefined]);
    }
  });

test('where storage is blocked everything works but the memory of the browser', async ({ page, demo }) => {
  await demo.configure({ identity: { secret: identitySecret } });
  await blockStorage(page);
  const chat = await openFernhill(page, demo);
  await identify(page, sign('ada', demo.agentId));
  await chat.say('My name is Ada');
  await expect(chat.log).toContainText('Nice to meet you, Ada');
  cutLinks();
  await chat.say('Which bike suits me?');
  await page.getByRole('button', { name: 'On tour' }).click();
  await expect(chat.log).toContainText('For long tours I would try two bikes');
  await identify(page, sign('eve', demo.agentId));
  await expect(chat.log).not.toContainText('Ada');
  await chat.say('What is my name?');
  await expect(chat.log).toContainText('You are nothing.');
  await parley(page, 'logout');
  await expect(chat.log).not.toContainText('What is my name?');
  await page.reload();
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await chat.say('My name is Bo');
  await expect(chat.log).toContainText('Nice to meet you, Bo');
});

test('a frame without storage holds a conversation, also when the connection is lost, and one without an origin says that it cannot', async ({
  page,
  demo,
}) => {
  await blockStorage(page);
  await page.goto(`${demo.url}/scenes/iframe.html`);
  const frame = page.frameLocator('iframe');
  await chatIn(frame).say('My name is Ada');
  await expect(chatIn(frame).log).toContainText('Nice to meet you, Ada');
  cutLinks();
  await chatIn(frame).say('What is my name?');
  await expect(chatIn(frame).log).toContainText('You are Ada.');
  await page.locator('iframe').evaluate((element: HTMLIFrameElement) => {
    element.setAttribute('sandbox', 'allow-scripts allow-forms');
    element.src += '&locale=en';
  });
  await expect(frame.getByText('This chat is not set up for this website.')).toBeVisible();
});
