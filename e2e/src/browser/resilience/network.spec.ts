import { expect } from '@playwright/test';
import { numberedWords, occurrences, openFernhill, sessionOf, toBegin } from '../chat.ts';
import { cutLinks } from '../link.ts';
import { allowPatience, bePatient } from './patience.ts';
import { cutNetwork, hide, keptOf, goOnline, openSecond, show, test } from './resilience.ts';

const words = numberedWords(40);
const roads = { call: 'check_roads', input: { region: 'the coast' } };
/** Counts, and has not answered before `finishRoads`. */
const counting = { when: 'count', steps: [{ say: words, delayMs: 20 }, roads, { say: '{{result}}' }] };
const wholeAnswer = 'The roads are clear.';
const echo = { steps: [{ say: 'Heard: {{input}}' }] };

test('an answer that goes on while the network is cut is whole when it is back', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  await script([counting, echo]);
  const chat = await openFernhill(page, demo);
  await chat.say('Please count');
  await expect(chat.log).toContainText('w20 ');
  await cutNetwork(page);
  await expect(page.getByText('You are offline.')).toBeVisible();
  finishRoads();
  await goOnline(page);
  await expect(page.getByText('You are offline.')).toBeHidden();
  await expect(chat.log).toContainText(wholeAnswer);
  await expect(chat.log).toContainText(words);
  expect(occurrences(await chat.log.innerText(), 'w1 w2')).toBe(1);
});

test('stop, pressed offline, stops when the network is back', async ({ page, demo, script }) => {
  await script([{ steps: [{ say: 'tick ', repeat: 2_000, delayMs: 20 }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Tick');
  await expect(chat.log).toContainText('tick tick tick');
  await cutNetwork(page);
  const stop = page.getByRole('button', { name: 'Stop' });
  await stop.click();
  await expect(stop).toBeEnabled();
  await goOnline(page);
  await expect(chat.log).toContainText('Stopped.');
  await expect(stop).toHaveCount(0);
});

test('messages written while the service is away are sent once it is back, in their order', async ({
  page,
  demo,
  script,
}) => {
  await script([echo]);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  // The service is reached again only after the widget has given up on sending.
  await page.route('**/v1/session/*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await chat.say('one');
  await chat.say('two');
  await expect(chat.log.getByText('Not sent')).toHaveCount(2);
  await page.unroute('**/v1/session/*');
  cutLinks();
  await expect(chat.log).toContainText('Heard: two');
  await expect(chat.log.getByText('Not sent')).toHaveCount(0);
  expect((await chat.log.innerText()).match(/Heard: \w+/g)).toEqual([
    'Heard: Hello',
    'Heard: one',
    'Heard: two',
  ]);
});

test('what could not be sent goes before what is said after it', async ({ page, demo, script }) => {
  await script([echo]);
  const chat = await openFernhill(page, demo);
  await page.route(toBegin, (route) => route.abort());
  await chat.say('one');
  await chat.say('two');
  await expect(chat.log.getByText('Not sent')).toHaveCount(2);
  await page.unroute(toBegin);
  await chat.say('three');
  await expect(chat.log).toContainText('Heard: three');
  const { sessionId } = await sessionOf(page);
  expect((await keptOf(demo, sessionId)).messages).toEqual(['one', 'two', 'three']);
});

test('messages that wait for an answer survive the service and the page', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  await script([counting, echo]);
  const chat = await openFernhill(page, demo);
  await chat.say('Please count');
  await expect(chat.log).toContainText('w10 ');
  await chat.say('and then');
  await expect(chat.log.getByText('Queued')).toBeVisible();
  await demo.killAndRestart();
  await page.reload();
  await expect(chat.log.getByText('Queued')).toBeVisible();
  finishRoads();
  await expect(chat.log).toContainText('Heard: and then');
  expect((await chat.log.innerText()).match(/w\d+/g)?.join(' ')).toBe(words);
  expect(occurrences(await chat.log.innerText(), 'Heard: and then')).toBe(1);
});

test('a tab in the background misses nothing, and neither does one that a frozen tab read for', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  await script([counting, echo]);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText('Heard: Hello');
  await hide(other.page);
  await chat.say('Please count');
  await expect(chat.log).toContainText('w10 ');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  await expect(other.chat.log).toContainText('w30 ');
  await show(other.page);
  finishRoads();
  await expect(other.chat.log).toContainText(words);
  await expect(other.chat.log).toContainText(wholeAnswer);
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await expect(chat.log).toContainText(words);
  await expect(chat.log).toContainText(wholeAnswer);
  for (const tab of [chat, other.chat]) expect(occurrences(await tab.log.innerText(), 'w1 w2')).toBe(1);
});

test('an answer that is asked for again, and copied, is so for both tabs', async ({ page, demo, script }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await allowPatience(page);
  await script([{ steps: [{ say: 'It is **ready**.' }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Is it ready?');
  await expect(chat.log).toContainText('It is ready.');
  const other = await openSecond(page, demo);
  await expect(other.chat.log.getByRole('button', { name: 'Answer again' })).toBeVisible();
  await cutNetwork(page);
  await other.chat.log.getByRole('button', { name: 'Answer again' }).click();
  await goOnline(page);
  for (const tab of [chat, other.chat]) {
    await expect(tab.log.locator('section.turn')).toHaveCount(2);
    await expect(tab.log.getByText('It is ready.')).toHaveCount(2);
  }
  await page.bringToFront();
  // That it was copied is said for two seconds.
  await bePatient(page);
  await chat.log.getByRole('button', { name: 'Copy' }).last().click();
  await expect(chat.log.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('It is **ready**.');
});

test('thinking and long work outlive reloads, and end behind a closed panel', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  const thoughts = numberedWords(40);
  await script([
    {
      steps: [
        // It takes 10 s, so that a page that is slow to draw still comes upon it.
        { reason: thoughts, delayMs: 250 },
        roads,
        { say: '{{result}}' },
      ],
    },
  ]);
  await demo.configure({ reasoning: { show: true } });
  const chat = await openFernhill(page, demo);
  await chat.say('Plan');
  await expect(chat.log).toContainText('Thinking…');
  await page.reload();
  await expect(chat.log.getByText('Check roads')).toBeVisible();
  await page.reload();
  await expect(chat.log.getByText('running')).toBeVisible();
  await chat.field.press('Escape');
  finishRoads();
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  await expect(launcher).toHaveAttribute('data-badge', '1');
  await launcher.click();
  await expect(chat.log).toContainText('The roads are clear');
  await chat.log.getByText('Thought process').click();
  await expect(chat.log).toContainText(thoughts);
});
