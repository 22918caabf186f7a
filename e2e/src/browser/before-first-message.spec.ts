import { expect, type Page, test as base } from '@playwright/test';
import { chatIn, heard } from './chat.ts';
import { test as sceneTest } from './embedding/scene.ts';
import { test as demoTest } from './running-demo.ts';
import { startMockService, strictPolicy } from './mock-service.ts';

const consent = { text: 'What you write is kept for 30 days.', link: 'https://fernhill.example/chat' };
const form = {
  title: 'Who are we talking to?',
  fields: [
    { name: 'name', label: 'Your name', required: true },
    { name: 'email', label: 'E-mail', type: 'email' },
  ],
};

interface Asked {
  /** Asks visitors this before the first message, until the test ends. */
  ask: (settings: { consent?: object; form?: object }) => Promise<void>;
}

const test = demoTest.extend<Asked>({
  ask: async ({ demo, script }, use) => {
    await script(heard);
    await use(async (widget) => void (await demo.configure({ widget })));
    await demo.configure({ widget: { consent: null, form: null } });
  },
});

const open = async (page: Page, demo: { url: string }) => {
  await page.goto(`${demo.url}/fernhill/`);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await expect(page.getByText('You are talking to an AI.')).toBeVisible();
  return chatIn(page);
};
const agree = (page: Page) => page.getByRole('button', { name: 'Agree and start' });
const start = (page: Page) => page.getByRole('button', { name: 'Start chat' });
const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage));
const call = (page: Page, verb: string, value: unknown) =>
  page.evaluate(([name, given]) => globalThis.parley(name, given), [verb, value] as const);
/** What messages take along, in order. */
const contextsOf = (page: Page) => {
  const contexts: unknown[] = [];
  page.on('request', (request) => {
    const { message, clientContext } = (request.postDataJSON() ?? {}) as Record<string, unknown>;
    if (message) contexts.push(clientContext);
  });
  return contexts;
};

test('nothing is sent or stored before the visitor agrees, and it is asked once', async ({
  page,
  demo,
  ask,
}) => {
  await ask({ consent });
  const contexts = contextsOf(page);
  const chat = await open(page, demo);
  await expect(page.getByText(consent.text)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Read more' })).toHaveAttribute('href', consent.link);
  await expect(chat.field).toBeHidden();
  await call(page, 'send', 'When are you open?');
  await call(page, 'send', 'And on Sunday?');
  await page.reload();
  await expect(agree(page)).toBeVisible();
  await call(page, 'send', 'Where is my order?');
  await call(page, 'send', 'And the bill?');
  await expect(page.getByText('Where is my order?')).toBeHidden();
  expect(contexts).toEqual([]);
  expect((await stored(page)).filter((name) => name.includes('pk_'))).toEqual([]);

  await agree(page).press('Enter');
  await expect(chat.field).toBeFocused();
  await expect(chat.log).toContainText('Heard: Where is my order?');
  await expect(chat.log).toContainText('Heard: And the bill?');
  await expect(chat.log).not.toContainText('When are you open?');
  const text = await chat.log.innerText();
  expect(text.indexOf('Where is my order?')).toBeLessThan(text.indexOf('And the bill?'));
  expect(contexts).toHaveLength(2);

  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(chat.field).toBeVisible();
  await page.reload();
  await expect(chat.field).toBeVisible();
  await expect(agree(page)).toBeHidden();

  await ask({ consent: { text: 'What you write is kept for 60 days.' } });
  await page.reload();
  await expect(page.getByText('60 days')).toBeVisible();
  await expect(chat.field).toBeHidden();
});

test('what a visitor fills in first goes with the first message of each conversation', async ({
  page,
  demo,
  ask,
}) => {
  await ask({ form });
  const contexts = contextsOf(page);
  const chat = await open(page, demo);
  await call(page, 'context', { page: 'Repairs' });
  await expect(page.getByRole('group', { name: form.title })).toBeVisible();
  await start(page).press('Enter');
  const name = page.getByLabel('Your name');
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription('Fill this in.');
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await expect(chat.field).toBeFocused();
  await page.reload();
  await call(page, 'context', { page: 'Repairs' });
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  await chat.say('Again');
  await expect(chat.log).toContainText('Heard: Again');
  await page.getByRole('button', { name: 'New conversation' }).click();
  await call(page, 'context', null);
  await chat.say('Anew');
  await expect(chat.log).toContainText('Heard: Anew');
  expect(contexts).toEqual([
    { page: 'Repairs', visitor: { name: 'Ada' } },
    { page: 'Repairs' },
    { visitor: { name: 'Ada' } },
  ]);
});

test('a field may be called like a part of a form', async ({ page, demo, ask }) => {
  const names = ['elements', 'closest', 'addEventListener', 'constructor', 'l'];
  await ask({ form: { fields: names.map((name) => ({ name, label: `The ${name}`, required: true })) } });
  const contexts = contextsOf(page);
  const chat = await open(page, demo);
  for (const name of names) await page.getByLabel(`The ${name}`).fill(name);
  await start(page).click();
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  expect(contexts).toEqual([{ visitor: Object.fromEntries(names.map((name) => [name, name])) }]);
});

test('what one tab has agreed to is not asked in another', async ({ page, demo, ask }) => {
  await ask({ consent });
  await open(page, demo);
  const second = await page.context().newPage();
  const there = await open(second, demo);
  await expect(agree(second)).toBeVisible();
  await agree(page).click();
  await expect(there.field).toBeVisible();
  await expect(agree(second)).toBeHidden();
});

test('a conversation that is there goes on without being asked', async ({ page, demo, ask }) => {
  await ask({});
  const chat = await open(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  await ask({ consent, form });
  await page.reload();
  await expect(chat.log).toContainText('Heard: Hello');
  await expect(chat.field).toBeVisible();
  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(agree(page)).toBeVisible();
  await expect(page.getByLabel('Your name')).toBeVisible();
});

test('another visitor of the same browser is asked anew', async ({ page, demo, ask }) => {
  await ask({ consent, form });
  const chat = await open(page, demo);
  await page.getByLabel('Your name').fill('Ada');
  await agree(page).click();
  await expect(chat.field).toBeVisible();
  await call(page, 'logout', null);
  await expect(agree(page)).toBeVisible();
  await expect(page.getByLabel('Your name')).toHaveValue('');
});

test('what somebody has begun to fill in outlives a reload, is gone when it is sent, and with them', async ({
  page,
  demo,
  ask,
}) => {
  await ask({ form });
  const chat = await open(page, demo);
  const name = page.getByLabel('Your name');
  const start = page.getByRole('button', { name: 'Start chat' });
  expect((await stored(page)).filter((each) => each.includes('pk_'))).toEqual([]);
  await name.fill('Ada');
  await page.reload();
  await expect(name).toHaveValue('Ada');
  const second = await page.context().newPage();
  await open(second, demo);
  await expect(second.getByLabel('Your name')).toHaveValue('Ada');
  await call(page, 'logout', null);
  await expect(name).toHaveValue('');
  await expect(second.getByLabel('Your name')).toHaveValue('');
  await page.reload();
  await expect(start).toBeVisible();
  await expect(name).toHaveValue('');

  await name.fill('Eve');
  await start.click();
  await expect(chat.field).toBeVisible();
  expect((await stored(page)).filter((each) => each.endsWith(':entries'))).toEqual([]);
});

test('nothing is stored of what somebody fills in who has not agreed to it', async ({ page, demo, ask }) => {
  await ask({ consent, form });
  await open(page, demo);
  const name = page.getByLabel('Your name');
  await name.fill('Ada');
  expect((await stored(page)).filter((each) => each.includes('pk_'))).toEqual([]);
  await page.reload();
  await expect(agree(page)).toBeVisible();
  await expect(name).toHaveValue('');
});

sceneTest('the demo has a scene of it, under a strict policy', async ({ page, openScene }) => {
  const contexts = contextsOf(page);
  await openScene('index');
  await page.getByRole('link', { name: 'Before the first message' }).click();
  await page.getByRole('button', { name: 'Chat with Larkspur Dental' }).click();
  await expect(page.getByText('may say something about your health')).toBeVisible();
  await expect(chatIn(page).field).toBeHidden();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Insurance').selectOption('Public');
  await page.getByLabel('I have been here before').check();
  await agree(page).click();
  await chatIn(page).say('When is the next appointment?');
  await expect(chatIn(page).log).toContainText('Thursday at 10:20');
  expect(contexts).toEqual([{ visitor: { name: 'Ada', insurance: 'public', patient: true } }]);
});

base('a strict policy and blocked storage are no hindrance', async ({ page }) => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
      throw new Error(violatedDirective);
    });
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        throw new Error('blocked');
      },
    });
  });
  const mock = await startMockService({ page: strictPolicy, widget: { consent, form } });
  try {
    await page.goto(mock.url);
    await page.getByRole('button', { name: 'Chat with Fern' }).click();
    await page.getByLabel('Your name').fill('Ada');
    await agree(page).click();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await chatIn(page).say('Hello');
    expect((await sent).postDataJSON()).toMatchObject({ clientContext: { visitor: { name: 'Ada' } } });
    await expect(chatIn(page).log).toContainText('Hello');
  } finally {
    await mock.close();
  }
  expect(faults).toEqual([]);
});
