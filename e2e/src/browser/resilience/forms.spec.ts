import { expect, type Page } from '@playwright/test';
import { heard, openFernhill, sessionOf } from '../chat.ts';
import { cutNetwork, hide, keptOf, goOnline, openSecond, show } from './resilience.ts';
import { test, duringOutage } from './resilience.ts';

const fields = [
  { name: 'name', label: 'Your name', required: true },
  { name: 'day', label: 'Day', type: 'date', required: true },
  { name: 'guests', label: 'Guests', type: 'number' },
  { name: 'terms', label: 'I keep to the house rules', type: 'checkbox', required: true },
];
const options = [
  { id: 'city', label: 'In the city' },
  { id: 'gravel', label: 'On gravel' },
  { id: 'tour', label: 'On tour' },
];
const booking = [
  {
    steps: [
      { ask: { prompt: 'Your booking', fields } },
      { say: 'Thank you. One more thing.' },
      { ask: { prompt: 'Where do you ride?', options, multiple: true, allowFreeform: true } },
      { say: 'I have noted `{{result}}`.' },
    ],
  },
];

const submit = (page: Page) => page.getByRole('button', { name: 'Answer', exact: true });
const given = (page: Page) => page.getByRole('log').getByRole('definition');

async function fillIn(page: Page, name: string) {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Day').fill('2027-12-24');
  await page.getByLabel('Guests').fill('2');
  await page.getByLabel('I keep to the house rules').check();
}

async function choose(page: Page) {
  await page.getByRole('checkbox', { name: 'In the city' }).check();
  await page.getByRole('checkbox', { name: 'Other…' }).check();
  await page.getByRole('textbox', { name: 'Your answer' }).fill('up and down');
}
const chosen = 'You answered: In the city and up and down';
const noted = 'I have noted ["city",{"other":"up and down"}].';

test('a form and several choices outlive the network and the service, and are answered once for a tab in the background too', async ({
  page,
  demo,
  script,
}) => {
  await script(booking);
  const chat = await openFernhill(page, demo);
  await chat.say('Book a cabin');
  await expect(page.getByLabel('Your name')).toBeVisible();
  const other = await openSecond(page, demo);
  await expect(other.page.getByLabel('Day')).toBeVisible();
  await page.bringToFront();
  await hide(other.page);

  await fillIn(page, 'Ada');
  await cutNetwork(page);
  await submit(page).click();
  await expect(page.getByRole('alert')).toHaveText('The connection failed.');
  await expect(page.getByLabel('Day')).toHaveValue('2027-12-24');
  await expect(page.getByLabel('I keep to the house rules')).toBeChecked();
  await goOnline(page);
  for (const tab of [page, other.page])
    await expect(given(tab)).toHaveText(['Ada', 'December 24, 2027', '2', 'Yes']);

  await choose(page);
  await duringOutage(page, demo, async () => {
    await submit(page).click();
    await expect(page.getByRole('alert')).toHaveText('The connection failed.');
    await expect(page.getByRole('checkbox', { name: 'In the city' })).toBeChecked();
    await expect(page.getByRole('textbox', { name: 'Your answer' })).toHaveValue('up and down');
  });
  await show(other.page);
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).toContainText(noted);
    await expect(tab.log.getByText(chosen)).toHaveCount(1);
    await expect(tab.log.getByText('I have noted')).toHaveCount(1);
  }
  const { sessionId } = await sessionOf(page);
  expect(await keptOf(demo, sessionId)).toMatchObject({ messages: ['Book a cabin'], answers: 2 });
});

test('of a form that two tabs send at the same moment one counts, and is what both show', async ({
  page,
  demo,
  script,
}) => {
  const steps = [{ ask: { prompt: 'Your booking', fields } }, { say: 'Noted.' }];
  await script([{ when: 'book', steps }, ...heard]);
  const chat = await openFernhill(page, demo);
  await chat.say('Book a cabin');
  await fillIn(page, 'Ada');
  const other = await openSecond(page, demo);
  await fillIn(other.page, 'Bo');
  const both = Promise.withResolvers<void>();
  let sent = 0;
  await page.context().route('**/v1/session/*', async (route) => {
    if (route.request().method() === 'POST' && ++sent === 2) both.resolve();
    if (route.request().method() === 'POST') await both.promise;
    await route.continue();
  });
  await submit(page).press('Enter');
  await submit(other.page).press('Enter');
  // What comes too late is an ordinary message.
  for (const tab of [chat, other.chat]) {
    await expect(tab.log.getByText('Noted.')).toHaveCount(1);
    await expect(tab.log.getByText('Heard:')).toHaveCount(1);
  }
  await expect(given(page).first()).toHaveText(/^(Ada|Bo)$/);
  const first = await given(page).allTextContents();
  await expect(given(other.page)).toHaveText(first);
  const { sessionId } = await sessionOf(page);
  expect(await keptOf(demo, sessionId)).toMatchObject({ answers: 1 });
});

test('an answer that is changed after it did not get through is sent as it is then, and not by itself', async ({
  page,
  demo,
  script,
}) => {
  await script(booking);
  const chat = await openFernhill(page, demo);
  await chat.say('Book a cabin');
  await fillIn(page, 'Ada');
  await cutNetwork(page);
  await submit(page).click();
  await expect(chat.log.getByRole('alert')).toHaveText('The connection failed.');
  await page.getByLabel('Your name').fill('Ada Byron');
  await expect(chat.log.getByRole('alert')).toHaveCount(0);
  await goOnline(page);
  await expect(page.getByText('Reconnecting…')).toBeHidden();
  await expect(page.getByText('You are offline.')).toBeHidden();
  await expect(submit(page)).toBeEnabled();
  await submit(page).click();
  await expect(given(page).first()).toHaveText('Ada Byron');
});
