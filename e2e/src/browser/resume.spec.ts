import { expect } from '@playwright/test';
import { chatIn, numberedWords, occurrences, openFernhill } from './chat.ts';
import { test } from './resilience/resilience.ts';

const words = numberedWords(120);

test('a reload in the middle of an answer loses and doubles nothing', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  const roads = { call: 'check_roads', input: { region: 'the coast' } };
  await script([{ steps: [{ say: words, delayMs: 25 }, roads, { say: '{{result}}' }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Count');
  for (const passed of ['w10 ', 'w40 ', 'w70 ']) {
    await expect(chat.log).toContainText(passed);
    await page.reload();
  }
  finishRoads();
  await expect(chat.log).toContainText('The roads are clear.');
  const text = await chat.log.innerText();
  expect(text).toContain(words);
  expect(occurrences(text, 'w1 w2')).toBe(1);
  expect(occurrences(text, 'Count')).toBe(1);
});

test('a second tab sees the conversation, and each sees what the other says', async ({
  page,
  demo,
  context,
  script,
}) => {
  await script([
    { when: 'count', steps: [{ say: words, delayMs: 10 }] },
    { steps: [{ say: 'Heard: {{input}}' }] },
  ]);
  const first = await openFernhill(page, demo);
  await first.say('Hello from the first tab');
  await expect(first.log).toContainText('Heard: Hello from the first tab');

  const second = await openFernhill(await context.newPage(), demo);
  await expect(second.log).toContainText('Heard: Hello from the first tab');
  await second.say('Please count');
  for (const tab of [first, second]) {
    await expect(tab.log).toContainText(words);
    expect(occurrences(await tab.log.innerText(), 'Please count')).toBe(1);
  }
});

test('an answer goes on after the service was killed in the middle of it', async ({ page, demo, script }) => {
  await script([
    { when: 'count', steps: [{ say: words, delayMs: 25 }] },
    { steps: [{ say: 'Heard: {{input}}' }] },
  ]);
  const chat = await openFernhill(page, demo);
  await chat.say('Please count');
  await expect(chat.log).toContainText('w40 ');
  await demo.killAndRestart();
  await expect(chat.log).toContainText('w120');
  // The rest is a paragraph of its own.
  expect((await chat.log.innerText()).match(/w\d+/g)?.join(' ')).toBe(words);
  await chat.say('Still there?');
  await expect(chat.log).toContainText('Heard: Still there?');

  // What can be done with the answers comes after the answers themselves, before the reload and behind it.
  const rated = chatIn(page).log.getByRole('button', { name: 'Good answer', includeHidden: true });
  await expect(rated).toHaveCount(2);
  const shown = await chat.log.innerText();
  await page.reload();
  await expect(rated).toHaveCount(2);
  await expect.poll(() => chat.log.innerText()).toBe(shown);
});
