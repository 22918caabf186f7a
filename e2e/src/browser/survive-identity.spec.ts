import { expect } from '@playwright/test';
import { heard, openFernhill } from './chat.ts';
import { type Parley, parley } from './parley.ts';
import { cutNetwork, mendNetwork, openSecond, test } from './survive.ts';
import { identify, identitySecret, sign } from './visitor-token.ts';

const header = 'x-parley-visitor-token';

test.beforeEach(async ({ demo, script }) => {
  await demo.configure({ identity: { secret: identitySecret } });
  await script(heard);
});

test('another visitor in one tab takes the first one’s conversation and name from the other', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await identify(page, sign('ada', demo.agentId));
  await chat.say('Ada’s secret');
  await expect(chat.log).toContainText('Heard: Ada’s secret');
  const other = await openSecond(page, demo);
  await identify(other.page, sign('ada', demo.agentId));
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
  const other = await openSecond(page, demo);
  await identify(other.page, sign('ada', demo.agentId));
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
  const rest = next.waitForResponse('**/assets/cards-*.js');
  await next.goto(`${demo.url}/fernhill/`);
  await (await rest).finished();
  await expect(next.getByRole('dialog')).toBeVisible();
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
    (token) => (globalThis as unknown as { parley: Parley }).parley('identify', token),
    sign('ada', demo.agentId),
  );
  await failed;
  await mendNetwork(page);
  await identified;
  await chat.say('It is me');
  await expect(chat.log).toContainText('Heard: It is me');
  const own = await request.get(`${demo.service}/parley/v1/session`, {
    headers: { authorization: `Bearer ${demo.secretKey}`, [header]: sign('ada', demo.agentId) },
  });
  expect(((await own.json()) as { items: unknown[] }).items).not.toEqual([]);
});
