import { expect } from '@playwright/test';
import { answerInJson, heard, openFernhill, sessionOf } from '../chat.ts';
import { cutLinks } from '../link.ts';
import { startMockService } from '../mock-service.ts';
import { event } from '../recorded-turns.ts';
import { enter, states } from '../states.ts';
import { parley } from '../parley.ts';
import { allowPatience, bePatient, endPatience, passInterval } from './patience.ts';
import { cutNetwork, goOnline, openSecond, stored, test } from './resilience.ts';

test('logout in one tab leaves nothing in the other, nor in the browser', async ({ page, demo, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('My secret');
  await expect(chat.log).toContainText('Heard: My secret');
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText('Heard: My secret');
  await other.chat.field.fill('Another sec');
  await parley(page, 'logout');
  await expect(other.chat.log).not.toContainText('secret');
  await expect(other.chat.field).toHaveValue('');
  await expect.poll(() => stored(page)).toEqual([]);
  await other.page.reload();
  await expect(other.chat.field).toHaveValue('');
  await expect(other.chat.log).not.toContainText('secret');
  await expect.poll(() => stored(page)).toEqual([]);
});

test('a session that is ended has ended in both tabs, and begins anew for both', async ({
  page,
  demo,
  script,
  request,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText('Heard: Hello');
  const { sessionId, continuationToken } = await sessionOf(page);
  const ended = await request.post(`${demo.service}/parley/v1/session/${sessionId}/end`, {
    headers: { authorization: `Bearer ${demo.secretKey}` },
    data: { continuationToken },
  });
  expect(ended.ok()).toBe(true);
  for (const tab of [page, other.page]) {
    await expect(tab.getByText('This conversation has ended.')).toBeVisible();
    await expect(tab.getByRole('textbox', { name: 'Message', exact: true })).toHaveCount(0);
  }
  await other.page.reload();
  await expect(other.page.getByText('This conversation has ended.')).toBeVisible();
  await other.page.getByRole('button', { name: 'New conversation' }).last().click();
  await other.chat.say('Again');
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).toContainText('Heard: Again');
    await expect(tab.log).not.toContainText('Heard: Hello');
  }
});

test('what one tab has not sent yet outlives what another sends', async ({ page, demo, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText('Heard: Hello');
  await page.route('**/v1/session/*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await chat.say('from the first');
  await expect(chat.log).toContainText('Not sent');
  await other.chat.say('from the second');
  await expect(other.chat.log).toContainText('Heard: from the second');
  await page.unroute('**/v1/session/*');
  await page.reload();
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).toContainText('Heard: from the first');
    await expect(tab.log.getByText('Heard: from the first')).toHaveCount(1);
  }
});

test('an answer that was read in one tab is not news in the other', async ({ page, demo, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  // What is offered under an answer that has ended.
  await expect(chat.log.getByRole('button', { name: 'Good answer' })).toBeVisible();
  await page.keyboard.press('Escape');
  const other = await openSecond(page, demo);
  await other.page.keyboard.press('Escape');
  const launcher = (tab: typeof page) => tab.getByRole('button', { name: 'Chat with Fern' });
  await parley(page, 'send', 'News');
  for (const tab of [page, other.page]) await expect(launcher(tab)).toHaveAttribute('data-badge', '1');
  await launcher(other.page).click();
  for (const tab of [page, other.page]) await expect(launcher(tab)).not.toHaveAttribute('data-badge');
});

test('the tab that reads for both may be closed in the middle of an answer', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  const look = { call: 'check_roads', input: { region: 'the coast' } };
  await script([{ steps: [{ say: 'tick ', repeat: 60, delayMs: 25 }, look, { say: 'tock' }] }]);
  const chat = await openFernhill(page, demo);
  const other = await openSecond(page, demo);
  await chat.say('Tick');
  for (const tab of [chat, other.chat]) await expect(tab.log).toContainText('tick tick');
  await page.close();
  finishRoads();
  await expect(other.chat.log).toContainText('tock');
  expect((await other.chat.log.innerText()).match(/tick|tock/g)).toEqual([
    ...Array.from({ length: 60 }, () => 'tick'),
    'tock',
  ]);
});

const streams = '**/stream*';

test('a tab that can read does so for one that cannot, whichever came first', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  await page.route(streams, (route) => route.abort());
  await answerInJson(page);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  const other = await openSecond(page, demo);
  for (const tab of [chat, other.chat]) await expect(tab.log).toContainText('Heard: Hello');
  await other.chat.say('And here?');
  for (const tab of [chat, other.chat]) await expect(tab.log).toContainText('Heard: And here?');
  await expect(page.getByText('Reconnecting…')).toBeHidden();

  // Now it is the other one that cannot read on.
  await page.unroute(streams);
  await other.page.route(streams, (route) => route.abort());
  cutLinks();
  await other.chat.say('And there?');
  for (const tab of [chat, other.chat]) await expect(tab.log).toContainText('Heard: And there?');
});

test('of two tabs that cannot read none takes the stream from the other', async ({ page, demo, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  const other = await page.context().newPage();
  await allowPatience(other);
  const there = await openFernhill(other, demo);
  await expect(there.log.getByRole('button', { name: 'Good answer' })).toBeVisible();
  await bePatient(other);
  const { sessionId } = await sessionOf(page);
  const holder = () =>
    page.evaluate(async (id) => {
      const { held } = await navigator.locks.query();
      return held!.filter(({ name }) => name!.endsWith(id)).map(({ clientId }) => clientId);
    }, sessionId);
  const first = await holder();
  expect(first).toHaveLength(1);
  await cutNetwork(page);
  let asks = 0;
  let answers = 0;
  await other.exposeFunction('spoke', (kind: string) => {
    if (kind === 'ask') asks++;
    if (kind === 'alive') answers++;
  });
  await other.evaluate((id) => {
    const { spoke } = globalThis as unknown as { spoke: (kind: string) => void };
    const key = Object.keys(localStorage).find((each) => localStorage[each].includes(id))!;
    new BroadcastChannel(`${key}:${id}`).onmessage = ({ data }) => spoke(data.kind);
  }, sessionId);
  // Each time the one that listens could have taken it, having been answered.
  for (let time = 0; time < 4; time++) {
    const [asked, answered] = [asks, answers];
    await passInterval(other, 2_000);
    await expect.poll(() => asks).toBeGreaterThan(asked);
    await expect.poll(() => answers).toBeGreaterThan(answered);
  }
  expect(await holder()).toEqual(first);
  await endPatience(other);
  await goOnline(page);
  await there.say('Back again');
  for (const tab of [chat, there]) await expect(tab.log).toContainText('Heard: Back again');
});

test('a sign-in that is waited for shows in both tabs, and its end too', async ({ page, context }) => {
  const state = states['sign-in needed']!;
  const mock = await startMockService(state);
  const other = await context.newPage();
  for (const tab of [page, other]) await enter(tab, mock.url, state);
  const step = { sequence: 1, turnId: 'turn_1', stepIndex: 0 };
  mock.write(event('authorization.completed', { ...step, name: 'Calendar', outcome: 'authorized' }));
  for (const tab of [page, other]) await expect(tab.getByRole('log')).toContainText('Signed in to Calendar');
  await mock.close();
});
