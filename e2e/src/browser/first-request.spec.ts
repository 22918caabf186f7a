import { expect, type Page } from '@playwright/test';
import { answerInJson, heard, numberedWords, occurrences, openFernhill, sessionOf } from './chat.ts';
import { cutLinks } from './link.ts';
import { keptOf, openSecond, test } from './resilience/resilience.ts';

const words = numberedWords(40);
/** Counts, and has not answered before `finishRoads`. */
const counting = {
  when: 'count',
  steps: [
    { say: words, delayMs: 20 },
    { call: 'check_roads', input: { region: 'the coast' } },
    { say: '{{result}}' },
  ],
};
const wholeAnswer = 'The roads are clear.';

/** What the page asks for of its conversation, without the requests that ask whether it may. */
function watchRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (!pathname.includes('/v1/session') || request.method() === 'OPTIONS') return;
    const [, end = ''] = /\/v1\/session(?:\/[^/]+(\/?.*))?$/.exec(pathname) ?? [];
    asked.push(`${request.method()} ${end || (pathname.endsWith('session') ? 'begin' : 'message')}`);
    if (end === '/stream') asked.push(`from ${searchParams.get('startIndex')}`);
  });
  return asked;
}

test('the first message and its answer are one request, and another tab listens', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  await script([counting, ...heard]);
  const chat = await openFernhill(page, demo);
  const asked = watchRequests(page);
  await chat.say('Please count');
  await expect(chat.log).toContainText('w20 ');
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText(words);
  await expect(chat.log).toContainText(words);
  finishRoads();
  for (const tab of [chat, other.chat]) await expect(tab.log).toContainText(wholeAnswer);
  expect(asked).toEqual(['POST begin']);
  await chat.say('And more');
  for (const tab of [chat, other.chat]) await expect(tab.log).toContainText('Heard: And more');
  expect(asked).toEqual(['POST begin', 'POST message']);
  for (const tab of [chat, other.chat]) expect(occurrences(await tab.log.innerText(), 'w1 w2')).toBe(1);
});

test('a first answer that breaks off goes on where it was, and nothing is there twice', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  await script([counting]);
  const chat = await openFernhill(page, demo);
  const asked = watchRequests(page);
  await chat.say('Please count');
  await expect(chat.log).toContainText('w20 ');
  cutLinks();
  await expect.poll(() => asked.slice(0, 2)).toEqual(['POST begin', 'GET /stream']);
  finishRoads();
  await expect(chat.log).toContainText(words);
  await expect(chat.log).toContainText(wholeAnswer);
  expect(Number(asked[2]?.slice(5))).toBeGreaterThan(3);
  expect(occurrences(await chat.log.innerText(), 'w1 w2')).toBe(1);
  const { sessionId } = await sessionOf(page);
  expect((await keptOf(demo, sessionId)).messages).toEqual(['Please count']);
});

test('a page that is left in the middle of its first answer finds it again', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  await script([counting]);
  const chat = await openFernhill(page, demo);
  await chat.say('Please count');
  await expect(chat.log).toContainText('w20 ');
  await page.reload();
  await expect(chat.log).toContainText('w20 ');
  finishRoads();
  await expect(chat.log).toContainText(words);
  await expect(chat.log).toContainText(wholeAnswer);
  expect(occurrences(await chat.log.innerText(), 'w1 w2')).toBe(1);
});

test('a service that answers in JSON is read in a second request', async ({ page, demo, script }) => {
  await script(heard);
  await answerInJson(page);
  const chat = await openFernhill(page, demo);
  const asked = watchRequests(page);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  expect(asked).toEqual(['POST begin', 'GET /stream', 'from 0']);
});
