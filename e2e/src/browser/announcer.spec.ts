import { expect } from '@playwright/test';
import { openFernhill } from './chat.ts';
import { action, asked, called, ended, event, request, said, step } from './recorded-turns.ts';
import { test } from './running-demo.ts';
import { startMockService } from './mock-service.ts';
import { enter, states } from './states.ts';

test('a finished answer is read out once, without marks and addresses; history is not', async ({
  page,
  demo,
  script,
}) => {
  await script([
    {
      steps: [{ say: 'See **[the map](https://example.com/a/map?x=1)**, or https://fernhill.example/shop.' }],
    },
  ]);
  const chat = await openFernhill(page, demo);
  const spoken = page.locator('.hidden[aria-live=polite]');
  await chat.say('Where?');
  await expect(spoken).toHaveText('Fern at Fernhill Cycles: See the map, or fernhill.example.');
  await page.reload();
  await expect(chat.log).toContainText('See the map');
  await expect(page.getByRole('button', { name: 'Answer again' })).toBeVisible();
  await expect(spoken).toHaveText('');
});

test('what goes on after a reload is read out too, however quickly it comes', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 1057, please.');
  await expect(page.locator('.hidden[aria-live=assertive]')).toContainText('Your approval is needed');
  await page.reload();
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.locator('.hidden[aria-live=polite]')).not.toHaveText('');
});

test('what has to be signed in to is read out, and not once that is done', async ({ page }) => {
  const state = states['sign-in needed']!;
  const shows = 'What is in my calendar?';
  const mock = await startMockService({ ...state, events: asked(1, shows) });
  await enter(page, mock.url, { ...state, shows });
  mock.write(state.events!.at(-1)!);
  const spoken = page.locator('.hidden[aria-live=assertive]');
  await expect(spoken).toHaveText('Sign in to Calendar to go on');
  mock.write(event('authorization.completed', { ...step(1), name: 'Calendar', outcome: 'authorized' }));
  await expect(spoken).toHaveText('');
  await mock.close();
});

test('of two questions that were asked at once each answer is read out, also where both say the same', async ({
  page,
}) => {
  const mock = await startMockService({ events: asked(1, 'Are you open?') });
  await enter(page, mock.url, { events: [], shows: 'Are you open?' });
  const spoken = page.locator('.hidden[aria-live=polite]');
  for (const each of [...said(1, 'Until six.'), ...ended(1).slice(0, 1), ...asked(2, 'And tomorrow?')])
    mock.write(each);
  await expect(page.getByText('And tomorrow?')).toBeVisible();
  await expect(spoken).toHaveText('Fern: Until six.');
  const first = await spoken.locator('p').elementHandle();
  for (const each of [...said(2, 'Until six.'), ...ended(2)]) mock.write(each);
  await expect.poll(() => first?.evaluate((element) => element.isConnected)).toBe(false);
  await expect(spoken).toHaveText('Fern: Until six.');
  await mock.close();
});

/** As the service writes what the team approves: the visitor has nothing to choose. */
const forTeam = request({
  requestId: 'ask_1',
  kind: 'tool-approval',
  prompt: 'Approve tool call: refund_order',
  action: action('refund_order', { order: 1057 }),
  display: 'confirmation',
  allowFreeform: false,
  options: [],
});

test('an approval of the team is not read out as the visitor’s', async ({ page }) => {
  const mock = await startMockService({ events: asked(1, 'Refund, please') });
  await enter(page, mock.url, { events: [], shows: 'Refund, please' });
  const call = called('refund_order', { order: 1057 });
  for (const each of [...said(1, 'I ask my colleagues.', 'tool-calls'), call, forTeam, ...ended(1)])
    mock.write(each);
  await expect(page.locator('.hidden[aria-live=polite]')).toContainText('I ask my colleagues.');
  await expect(page.locator('.hidden[aria-live=assertive]')).toHaveText('');
  await mock.close();
});

test('a question is read out also where the team approves something beside it', async ({ page }) => {
  const mock = await startMockService({ events: asked(1, 'Refund, please') });
  await enter(page, mock.url, { events: [], shows: 'Refund, please' });
  const prompt = 'Which order is it?';
  const question = request({
    requestId: 'ask_0',
    kind: 'question',
    prompt,
    action: { ...action('ask_question', { prompt }), callId: 'call_0' },
    display: 'text',
    allowFreeform: true,
  });
  for (const each of [called('refund_order', { order: 1057 }), question, forTeam, ...ended(1)])
    mock.write(each);
  await expect(page.locator('.hidden[aria-live=assertive]')).toContainText(prompt);
  await mock.close();
});

test('a turn that has been read out is not read again when the team answers in it', async ({ page }) => {
  const mock = await startMockService({ events: asked(1, 'Do you ship to Norway?') });
  await enter(page, mock.url, { events: [], shows: 'Do you ship to Norway?' });
  const question = { ...step(1), requestId: 'ask_1' };
  const askedTeam = event('team.asked', { ...question, question: null, expiresAt: null });
  for (const each of [...said(1, 'Let me see.', 'tool-calls'), askedTeam, ...ended(1)]) mock.write(each);
  const spoken = page.locator('.hidden[aria-live=polite]');
  await expect(spoken).toContainText('Let me see.');
  await spoken.evaluate((element) => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    new MutationObserver(() => heard.push(element.textContent)).observe(element, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  mock.write(event('team.answered', { ...question, outcome: 'answered', answer: null, author: null }));
  mock.write(event('turn.started', { sequence: 2, turnId: 'turn_2' }));
  mock.write(event('message.appended', { ...step(2), messageDelta: 'Yes, we' }));
  await expect(page.getByRole('log').getByText('Yes, we')).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)).toEqual([]);
  await mock.close();
});

test('two clicks on “Answer again” ask once', async ({ page, demo, script }) => {
  await script([{ steps: [{ say: 'Until six.' }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Are you open?');
  const again = page.getByRole('button', { name: 'Answer again' });
  await expect(again).toBeVisible();
  let posts = 0;
  page.on('request', (request) => void (posts += request.method() === 'POST' ? 1 : 0));
  await again.evaluate((button) => {
    (button as HTMLButtonElement).click();
    (button as HTMLButtonElement).click();
  });
  await expect(chat.log.getByText('Until six.')).toHaveCount(2);
  expect(posts).toBe(1);
});
