import { expect, type Page } from '@playwright/test';
import { chatIn, heard, openFernhill, sessionOf, toBegin } from '../chat.ts';
import { cutLinks } from '../link.ts';
import { parley } from '../parley.ts';
import { blockStorage, cutNetwork, hide, keptOf, goOnline, show, stored, test } from './resilience.ts';
import { identify, identitySecret, sign } from '../visitor-token.ts';

const header = 'x-parley-visitor-token';
const newSecret = 'another secret, after which the tokens of the first are worth nothing';

test.beforeEach(async ({ demo, script }) => {
  await demo.configure({ identity: { secret: identitySecret } });
  await script(heard);
});

/** Another tab of the same browser, whose page says who is there before it opens the chat. */
async function openSecondAs(page: Page, demo: { url: string }, token: string) {
  const other = await page.context().newPage();
  await other.addInitScript((given) => {
    const calls = [['identify', given], ['open']];
    Object.assign(globalThis, { parley: Object.assign(() => {}, { q: calls }) });
  }, token);
  await other.goto(`${demo.url}/fernhill/`);
  const chat = chatIn(other);
  await expect(chat.field).toBeVisible();
  return { page: other, chat };
}

test('another visitor in one tab takes the first one’s conversation and name from the other', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await identify(page, sign('ada', demo.agentId));
  await chat.say('Ada’s secret');
  await expect(chat.log).toContainText('Heard: Ada’s secret');
  const other = await openSecondAs(page, demo, sign('ada', demo.agentId));
  await expect(other.chat.log).toContainText('Heard: Ada’s secret');
  await other.chat.field.fill('Ada’s draft');

  await identify(page, sign('eve', demo.agentId));
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).not.toContainText('secret');
    await expect(tab.field).toHaveValue('');
  }
  // The page around still shows the first visitor; what is written there is nobody's.
  const sent = other.page.waitForRequest((request) => request.method() === 'POST');
  await other.chat.say('Who am I?');
  expect((await sent).headers()[header]).toBeUndefined();
});

test('after a logout in one tab no tab speaks as the visitor any more', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await identify(page, sign('ada', demo.agentId));
  await chat.say('Ada here');
  await expect(chat.log).toContainText('Heard: Ada here');
  const other = await openSecondAs(page, demo, sign('ada', demo.agentId));
  await expect(other.chat.log).toContainText('Heard: Ada here');
  await parley(page, 'logout');
  await expect(other.chat.log).not.toContainText('Ada');
  const sent = other.page.waitForRequest((request) => request.method() === 'POST');
  await other.chat.say('And now?');
  expect((await sent).headers()[header]).toBeUndefined();
  await expect(other.chat.log).toContainText('Heard: And now?');
});

test('a page that is about to say who is there shows nothing of who was', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await identify(page, sign('ada', demo.agentId));
  await chat.say('Ada’s secret');
  await expect(chat.log).toContainText('Heard: Ada’s secret');

  const next = await page.context().newPage();
  const shown: string[] = [];
  await next.exposeFunction('shows', (text: string) => shown.push(text));
  await next.addInitScript(() => {
    const { shows } = globalThis as unknown as { shows: (text: string) => void };
    const look = () => {
      const log = document.querySelector('[data-parley]')?.shadowRoot?.querySelector('[role=log]');
      if (log?.textContent.includes('secret')) shows(log.textContent);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    // The tenant's server takes its time to say who it is.
    const token = new Promise((known) => Object.assign(globalThis, { known }));
    const calls = [['identify', () => token], ['open']];
    Object.assign(globalThis, { parley: Object.assign(() => {}, { q: calls }) });
  });
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await next.route('**/v1/config*', async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  const rest = next.waitForResponse('**/assets/cards-*.js');
  await next.goto(`${demo.url}/fernhill/`);
  await asked.promise;
  // Ada’s too, though it is written after the other page has begun to say who is there.
  const followUps = '**/parley/v1/session/*';
  await page.route(followUps, (route) => route.abort());
  await chat.say('Ada’s note');
  await expect(page.getByText('Not sent')).toBeVisible();
  released.resolve();
  await (await rest).finished();
  await expect(next.getByRole('dialog')).toBeVisible();
  await page.unroute(followUps);
  // Longer than it takes two tabs to share what one has read.
  await chat.say('Still me');
  await expect(chat.log).toContainText('Heard: Still me');
  await next.evaluate(
    (token) => (globalThis as unknown as { known: (token: string) => void }).known(token),
    sign('eve', demo.agentId),
  );
  await expect(next.getByRole('log')).toContainText('Hello! Ask me');
  await expect(chat.log).not.toContainText('secret');
  expect(shown).toEqual([]);
});

test('a conversation becomes the visitor’s once the network is back', async ({ page, demo, request }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  await cutNetwork(page);
  const failed = page.waitForEvent('requestfailed', (each) => each.url().endsWith('/identify'));
  const identified = page.evaluate(
    (token) => globalThis.parley('identify', token),
    sign('ada-claimed', demo.agentId),
  );
  await failed;
  await goOnline(page);
  await identified;
  await chat.say('It is me');
  await expect(chat.log).toContainText('Heard: It is me');
  const own = await request.get(`${demo.service}/parley/v1/session`, {
    headers: { authorization: `Bearer ${demo.secretKey}`, [header]: sign('ada-claimed', demo.agentId) },
  });
  expect(((await own.json()) as { items: unknown[] }).items).not.toEqual([]);
});

test('what waits for its turn is answered once, though the next page says who has asked', async ({
  page,
  demo,
  script,
}) => {
  await script([{ when: 'tick', steps: [{ say: 'tick ', repeat: 200, delayMs: 20 }] }, ...heard]);
  const chat = await openFernhill(page, demo);
  await chat.say('Please tick');
  await expect(chat.log).toContainText('tick tick');
  const accepted = page.waitForResponse('**/parley/v1/session/*');
  await chat.say('And then?');
  await (await accepted).finished();
  const { sessionId } = await sessionOf(page);
  await page.goto('about:blank');
  const other = await openSecondAs(page, demo, sign('ada-waiting', demo.agentId));
  await expect(other.chat.log).toContainText('Heard: And then?');
  await other.chat.say('Thank you');
  await expect(other.chat.log).toContainText('Heard: Thank you');
  expect((await keptOf(demo, sessionId)).messages).toEqual(['Please tick', 'And then?', 'Thank you']);
});

test('a token that ends while the network is cut and the connection lost is replaced, and nothing leaves without one', async ({
  page,
  demo,
}) => {
  const visitor = 'ada-renewed';
  /** What the tenant's server hands out, or that it cannot be reached. */
  let token: string | null = sign(visitor, demo.agentId);
  let asked = 0;
  await page.exposeFunction('signIn', () => {
    asked++;
    if (token === null) throw new Error('The network is cut.');
    return token;
  });
  const shown: [message: string, token: string | undefined][] = [];
  page.on('response', (response) => {
    const request = response.request();
    const { message } = (request.postDataJSON() ?? {}) as { message?: string };
    if (message) shown.push([message, request.headers()[header]]);
  });
  const chat = await openFernhill(page, demo);
  const known = () =>
    page.evaluate(() => {
      const { parley: call, signIn } = globalThis as typeof globalThis & { signIn: () => unknown };
      return call('identify', signIn);
    });
  await known();
  await chat.say('one');
  await expect(chat.log).toContainText('Heard: one');
  expect(asked).toBe(1);

  // From now on the token that the page has is worth nothing.
  await demo.configure({ identity: { secret: newSecret } });
  const renewed = sign(visitor, demo.agentId, newSecret);
  token = null;
  await cutNetwork(page);
  await chat.say('two');
  cutLinks();
  await goOnline(page);
  // The service is there again, the tenant's server is not yet.
  await expect.poll(() => asked).toBeGreaterThan(1);
  await expect(chat.log).toContainText('Not sent');
  await cutNetwork(page);
  token = renewed;
  await goOnline(page);
  await expect(chat.log).toContainText('Heard: two');
  await page.reload();
  await known();
  await expect(chat.log).toContainText('Heard: two');
  await chat.say('three');
  await expect(chat.log).toContainText('Heard: three');
  for (const text of ['one', 'two', 'three'])
    await expect(chat.log.getByText(`Heard: ${text}`)).toHaveCount(1);
  await expect.poll(() => shown.at(-1)).toEqual(['three', renewed]);
  expect(shown.filter(([, each]) => each === undefined)).toEqual([]);
});

test('a token that ends in a background tab without storage is replaced there, and what it sends goes with the new one', async ({
  page,
  demo,
}) => {
  await blockStorage(page);
  const visitor = 'ada-background';
  const token = sign(visitor, demo.agentId);
  const renewed = sign(visitor, demo.agentId, newSecret);
  const tokens = [token, renewed];
  await page.exposeFunction('signIn', () => tokens.shift());
  const shown: [message: string, token: string | undefined][] = [];
  page.on('response', (response) => {
    const request = response.request();
    const { message } = (request.postDataJSON() ?? {}) as { message?: string };
    if (message) shown.push([message, request.headers()[header]]);
  });
  const chat = await openFernhill(page, demo);
  await page.evaluate(() => {
    const { parley: call, signIn } = globalThis as typeof globalThis & { signIn: () => unknown };
    return call('identify', signIn);
  });
  await chat.say('one');
  await expect(chat.log).toContainText('Heard: one');
  await hide(page);
  await demo.configure({ identity: { secret: newSecret } });
  cutLinks();
  await parley(page, 'send', 'two');
  await expect(chat.log).toContainText('Heard: two');
  await show(page);
  for (const text of ['one', 'two']) await expect(chat.log.getByText(`Heard: ${text}`)).toHaveCount(1);
  expect(tokens).toEqual([]);
  expect(shown[0]).toEqual(['one', token]);
  await expect.poll(() => shown.at(-1)).toEqual(['two', renewed]);
});

test('what somebody has left unsent is not sent as whoever comes next, whose token came late', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await identify(page, sign('ada-late', demo.agentId));
  await page.route(toBegin, (route) => route.abort());
  await chat.say('Ada’s secret');
  await expect(page.getByText('Not sent')).toBeVisible();
  // Ada has gone before it can be tried again.
  await page.goto('about:blank');
  await page.unrouteAll();
  await page.addInitScript(
    (token) => {
      let asked = 0;
      const signIn = () => {
        if (asked++ === 0) throw new Error('The network is cut.');
        return token;
      };
      const calls = [['identify', signIn], ['open']];
      Object.assign(globalThis, { parley: Object.assign(() => {}, { q: calls }) });
    },
    sign('eve-late', demo.agentId),
  );
  const sent: (string | undefined)[] = [];
  page.on('request', (request) => {
    const { message } = (request.postDataJSON() ?? {}) as { message?: string };
    if (message) sent.push(message);
  });
  await page.goto(`${demo.url}/fernhill/`);
  await expect.poll(() => stored(page)).not.toContainEqual(expect.stringContaining(':outbox'));
  await chat.say('Eve here');
  await expect(chat.log).toContainText('Heard: Eve here');
  await expect(chat.log).not.toContainText('secret');
  expect(sent).toEqual(['Eve here']);
});

test('a token that is renewed as another visitor’s ends the first one’s conversation here', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  let token = sign('ada-turn', demo.agentId);
  await page.exposeFunction('signIn', () => token);
  await page.evaluate(() => {
    const { parley: call, signIn } = globalThis as typeof globalThis & { signIn: () => unknown };
    return call('identify', signIn);
  });
  await chat.say('Ada’s secret');
  await expect(chat.log).toContainText('Heard: Ada’s secret');
  await demo.configure({ identity: { secret: newSecret } });
  token = sign('eve-turn', demo.agentId, newSecret);
  cutLinks();
  await chat.say('Who am I?');
  await expect(chat.log).not.toContainText('secret');
  await expect(chat.field).toBeVisible();
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await chat.say('Eve here');
  expect((await sent).headers()[header]).toBe(token);
  await expect(chat.log).toContainText('Heard: Eve here');
});

test('who is gone before their token has come is not there when it comes', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  const come = await page.evaluateHandle(() => {
    const token = Promise.withResolvers<string>();
    const { parley: call } = globalThis;
    return { ...token, named: call('identify', () => token.promise) };
  });
  await parley(page, 'logout');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await chat.say('Nobody here');
  expect((await sent).headers()[header]).toBeUndefined();
  await expect(chat.log).toContainText('Heard: Nobody here');
  await come.evaluate(({ resolve }, token) => resolve(token), sign('ada-late', demo.agentId));
  await come.evaluate(({ named }) => named);
  await expect(chat.log).toContainText('Heard: Nobody here');
  const next = page.waitForRequest((request) => request.method() === 'POST');
  await chat.say('Still nobody');
  expect((await next).headers()[header]).toBeUndefined();
  await expect(chat.log).toContainText('Heard: Still nobody');
});

test('who is known stays known where their conversation has been deleted', async ({
  page,
  demo,
  request,
}) => {
  const visitor = 'ada-deleted';
  const chat = await openFernhill(page, demo);
  await identify(page, sign(visitor, demo.agentId));
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  const { sessionId, continuationToken } = await sessionOf(page);
  await page.goto('about:blank');
  const deleted = await request.delete(`${demo.service}/parley/v1/session/${sessionId}`, {
    headers: { authorization: `Bearer ${demo.secretKey}`, [header]: sign(visitor, demo.agentId) },
    data: { continuationToken },
  });
  expect(deleted.status()).toBe(200);
  await page.goto(`${demo.url}/fernhill/`);
  await expect(page.getByRole('dialog')).toBeVisible();
  await identify(page, sign(visitor, demo.agentId));
});

test('a token that cannot be had before the panel is there is told in the console, and is no error of the page', async ({
  page,
  demo,
}) => {
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(String(error)));
  await page.goto(`${demo.url}/fernhill/`);
  await page.evaluate(() =>
    globalThis.parley('identify', () => {
      throw new Error('Nobody is signed in.');
    }),
  );
  const told = page.waitForEvent('console', (message) => message.text().includes('Nobody is signed in.'));
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  expect((await told).type()).toBe('error');
  await expect(chatIn(page).field).toBeVisible();
  expect(thrown).toEqual([]);
});
