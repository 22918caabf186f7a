import { expect, type Page } from '@playwright/test';
import { heard, menuOf, numberedWords, openFernhill, sessionOf } from '../chat.ts';
import { parley } from '../parley.ts';
import { allowPatience, bePatient, endPatience } from './patience.ts';
import { asked } from '../recorded-turns.ts';
import { startMockService } from '../mock-service.ts';
import { enter, states } from '../states.ts';
import {
  cutNetwork,
  hide,
  isInSight,
  keptOf,
  goOnline,
  openSecond,
  show,
  test,
  duringOutage,
} from './resilience.ts';
import { identify, identitySecret, sign } from '../visitor-token.ts';

const words = numberedWords(40);
const script = [
  { when: 'count', steps: [{ say: words, delayMs: 25 }] },
  { when: 'roads', steps: [{ call: 'check_roads', input: { region: 'the coast' } }, { say: '{{result}}' }] },
  ...heard,
];
const launcher = (page: Page) => page.getByRole('button', { name: 'Chat with Fern' });

/** How often the page has made a sound. */
async function listen(page: Page): Promise<() => number> {
  let sounds = 0;
  await page.exposeFunction('sounded', () => void sounds++);
  await page.addInitScript(() => {
    globalThis.AudioContext = class extends AudioContext {
      constructor() {
        super();
        (globalThis as unknown as { sounded(): void }).sounded();
      }
    };
  });
  return () => sounds;
}

/** Whoever would have sounded has done so. Others are silent for a while after that. */
const soundOver = (page: Page) =>
  page.evaluate(async () => {
    // A tab asks who else there is before it makes a sound.
    await navigator.locks.query();
    await navigator.locks.request('parley:sound', () => {});
  });

async function wantSound(page: Page) {
  await menuOf(page).click();
  await page.getByRole('checkbox', { name: 'Sound for new answers' }).check();
  await page.keyboard.press('Escape');
  await expect.poll(() => isInSight(page)).toBe(true);
}

/** A visitor who wants to hear of answers has asked something that takes its time. */
async function askWithSound(page: Page, demo: { url: string }) {
  const sounds = await listen(page);
  const chat = await openFernhill(page, demo);
  const title = await page.title();
  await wantSound(page);
  await chat.say('How are the roads?');
  await expect(chat.log.getByText('running')).toBeVisible();
  return { sounds, title };
}

test('an answer that ended while the network was cut, or after the service was killed, is told once, by sound, title and number', async ({
  page,
  demo,
  script: setScript,
  finishRoads,
}) => {
  await setScript(script);
  const { sounds, title } = await askWithSound(page, demo);
  const { sessionId } = await sessionOf(page);
  await page.keyboard.press('Escape');
  await hide(page);
  await cutNetwork(page);
  finishRoads();
  await expect.poll(async () => (await keptOf(demo, sessionId)).turns).toBe(1);
  await goOnline(page);
  await expect(page).toHaveTitle(`● ${title}`);
  await expect(launcher(page)).toHaveAttribute('data-badge', '1');
  await expect.poll(sounds).toBe(1);
  await show(page);
  await expect(page).toHaveTitle(title);
  await soundOver(page);

  await hide(page);
  await parley(page, 'send', 'Please count');
  await expect(page.getByRole('log', { includeHidden: true })).toContainText('w5 ');
  await demo.killAndRestart();
  await expect(page).toHaveTitle(`● ${title}`);
  await expect(launcher(page)).toHaveAttribute('data-badge', '2');
  await expect.poll(sounds).toBe(2);
  await soundOver(page);
  await parley(page, 'send', 'Third');
  await expect.poll(sounds).toBe(3);
  await expect(launcher(page)).toHaveAttribute('data-badge', '3');
  await show(page);
  await expect(page).toHaveTitle(title);
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText(words);
  await expect(launcher(page)).not.toHaveAttribute('data-badge');
});

test('of two hidden tabs one makes the sound, and both say it in their titles', async ({
  page,
  demo,
  context,
  script: setScript,
  finishRoads,
}) => {
  await setScript(script);
  await allowPatience(page);
  const { sounds, title } = await askWithSound(page, demo);
  const other = await context.newPage();
  await allowPatience(other);
  const otherSounds = await listen(other);
  const there = await openFernhill(other, demo);
  await expect(there.log.getByText('running')).toBeVisible();
  await hide(page);
  await hide(other);
  // The tab that makes the sound keeps the others silent for two seconds, which a tab that is held up hears too late.
  for (const tab of [page, other]) await bePatient(tab);
  finishRoads();
  for (const tab of [page, other]) await expect(tab).toHaveTitle(`● ${title}`);
  for (const tab of [page, other]) await endPatience(tab);
  // What has sounded in a tab is known here before the tab answers.
  for (const tab of [page, other]) await soundOver(tab);
  await expect.poll(() => sounds() + otherSounds()).toBe(1);
});

test('an answer that can be seen in another tab makes no sound and marks no title', async ({
  page,
  demo,
  script: setScript,
  finishRoads,
}) => {
  await setScript(script);
  const { sounds, title } = await askWithSound(page, demo);
  const other = await openSecond(page, demo);
  await expect(other.chat.log.getByText('running')).toBeVisible();
  await hide(page);
  finishRoads();
  const hidden = page.getByRole('log', { includeHidden: true });
  await expect(other.chat.log).toContainText('The roads are clear.');
  await expect(hidden).toContainText('The roads are clear.');
  await other.chat.say('Second');
  await expect(hidden).toContainText('Heard: Second');
  await soundOver(page);
  expect(sounds()).toBe(0);
  await expect(page).toHaveTitle(title);
  await other.page.close();
  await parley(page, 'send', 'Third');
  await expect(page).toHaveTitle(`● ${title}`);
  await expect.poll(sounds).toBe(1);
});

test('the history of a conversation that is gone to in another tab is not told, what comes then is', async ({
  page,
  demo,
  script: setScript,
}) => {
  await demo.configure({ identity: { secret: identitySecret } });
  await setScript(heard);
  const sounds = await listen(page);
  const chat = await openFernhill(page, demo);
  const title = await page.title();
  await identify(page, sign('ada-history', demo.agentId));
  await wantSound(page);
  for (const text of ['First', 'Second']) {
    await chat.say(text);
    await expect(chat.log).toContainText(`Heard: ${text}`);
  }
  await page.getByRole('dialog').getByRole('button', { name: 'New conversation' }).click();
  await chat.say('Third');
  await expect(chat.log).toContainText('Heard: Third');
  const other = await openSecond(page, demo);
  await identify(other.page, sign('ada-history', demo.agentId));
  await expect(other.chat.log).toContainText('Heard: Third');
  for (const tab of [page, other.page]) await hide(tab);
  await menuOf(other.page).click();
  await other.page.getByRole('button', { name: 'Conversations', exact: true }).click();
  await other.page.getByRole('button', { name: /^First/ }).click();
  const hidden = page.getByRole('log', { includeHidden: true });
  await expect(hidden).toContainText('Heard: Second');
  await soundOver(page);
  expect(sounds()).toBe(0);
  await expect(page).toHaveTitle(title);
  await other.page.close();
  await parley(page, 'send', 'Fourth');
  await expect(page).toHaveTitle(`● ${title}`);
  await expect.poll(sounds).toBe(1);
});

test('what has to be signed in to is told by sound and title', async ({ page }) => {
  const sounds = await listen(page);
  const state = states['sign-in needed']!;
  const shows = 'What is in my calendar?';
  const mock = await startMockService({ ...state, events: asked(1, shows) });
  await enter(page, mock.url, { ...state, shows });
  await wantSound(page);
  await hide(page);
  mock.write(state.events!.at(-1)!);
  await expect(page).toHaveTitle('● MockService');
  await expect.poll(sounds).toBe(1);
  await mock.close();
});

test('messages written in a background tab wait for the answer before them, also over an outage, and go once, in order', async ({
  page,
  demo,
  script: setScript,
  finishRoads,
}) => {
  await setScript(script);
  const chat = await openFernhill(page, demo);
  await chat.say('How are the roads?');
  await expect(chat.log.getByText('running')).toBeVisible();
  const other = await openSecond(page, demo);
  await page.bringToFront();
  await hide(page);
  await chat.say('one');
  await expect(chat.log.getByText('Queued')).toHaveCount(1);
  await duringOutage(page, demo, async () => {
    await chat.say('two');
    await expect(chat.log.getByText('Queued')).toHaveCount(2);
  });
  finishRoads();
  await expect(chat.log).toContainText('Heard: two');
  await show(page);
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).toContainText('Heard: two');
    expect((await tab.log.innerText()).match(/Heard: \w+/g)).toEqual(['Heard: one', 'Heard: two']);
    await expect(tab.log.getByText('Queued')).toHaveCount(0);
  }
  const { sessionId } = await sessionOf(page);
  expect((await keptOf(demo, sessionId)).messages).toEqual(['How are the roads?', 'one', 'two']);
});

test('an answer in an open panel that nobody looks at stays news in another tab', async ({
  page,
  demo,
  script: setScript,
}) => {
  await setScript(script);
  const chat = await openFernhill(page, demo);
  await chat.say('First');
  await expect(chat.log).toContainText('Heard: First');
  const other = await openSecond(page, demo);
  await other.page.keyboard.press('Escape');
  await hide(page);
  await parley(page, 'send', 'Second');
  await expect(launcher(other.page)).toHaveAttribute('data-badge', '1');
  await show(page);
  await expect(launcher(other.page)).not.toHaveAttribute('data-badge');
});
