import { expect } from '@playwright/test';
import { numberedWords, openFernhill } from '../chat.ts';
import { everything } from '../recorded-turns.ts';
import { allowPatience, bePatient } from './patience.ts';
import { cutNetwork, hide, goOnline, openSecond, show, test, duringOutage } from './resilience.ts';

test('thinking and a long tool go on though the network is cut, and the service killed in either, for both tabs', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  const thoughts = numberedWords(60);
  await demo.configure({ reasoning: { show: true } });
  const plan = (reason: string) => [
    {
      steps: [
        { reason, delayMs: 25 },
        { call: 'check_roads', input: { region: 'the coast' } },
        { say: 'So: {{result}}' },
      ],
    },
  ];
  await script(plan('hm '.repeat(2_000)));
  const chat = await openFernhill(page, demo);
  await chat.say('Plan');
  await expect(chat.log).toContainText('Thinking…');
  const other = await openSecond(page, demo);
  await page.bringToFront();
  await hide(other.page);
  await cutNetwork(page);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await goOnline(page);
  await expect(page.getByText('You are offline.')).toBeHidden();
  // Begun again, it comes to an end.
  await script(plan(thoughts));
  await duringOutage(
    page,
    demo,
    () => expect(chat.log).toContainText('Thinking…'),
    () => demo.killAndRestart(),
  );
  for (const tab of [chat, other.chat]) await expect(tab.log.getByText('Check roads')).toBeVisible();
  await expect(chat.log.getByText('running')).toBeVisible();
  const goesOn = async () => {
    await expect(page.getByText('Reconnecting…')).toBeVisible();
    await expect(chat.log.getByText('running')).toBeVisible();
  };
  await duringOutage(page, demo, goesOn, () => demo.killAndRestart());
  await expect(page.getByText('Reconnecting…')).toBeHidden();
  await expect(chat.log.getByText('running')).toBeVisible();
  finishRoads();
  await show(other.page);
  for (const tab of [chat, other.chat]) {
    await expect(tab.log.getByText('So: The roads are clear.')).toHaveCount(1);
    await expect(tab.log.getByText('Check roads')).toHaveCount(1);
    await tab.log.getByText('Thought process').last().click();
    await expect(tab.log.getByText(thoughts)).toHaveCount(1);
  }
});

test('an answer with a table and code that breaks off in the middle is whole, and copied whole', async ({
  page,
  demo,
  script,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await allowPatience(page);
  await script([{ steps: [{ say: everything, delayMs: 25 }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Explain');
  await expect(chat.log).toContainText('Bell');
  await demo.killAndRestart();
  await expect(chat.log.getByText('const total')).toBeVisible();
  await cutNetwork(page);
  await goOnline(page);
  await expect(chat.log.getByRole('button', { name: 'Load image' })).toBeVisible();
  await expect(chat.log.getByRole('table')).toHaveCount(1);
  await expect(chat.log.getByRole('row')).toHaveCount(3);
  await expect(chat.log.getByRole('button', { name: 'Answer again' })).toBeVisible();
  // That it was copied is said for two seconds.
  await bePatient(page);
  await chat.log.getByRole('button', { name: 'Copy' }).last().click();
  await expect(chat.log.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(everything);
});
