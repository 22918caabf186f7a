import { expect, type Page } from '@playwright/test';
import { chatIn, heard, menuOf, numberedWords, openFernhill, sessionOf } from './chat.ts';
import { parley } from './parley.ts';
import { type RunningDemo, test } from './running-demo.ts';
import { startMockService, type Recording, strictPolicy } from './mock-service.ts';
import { asked, event, step } from './recorded-turns.ts';
import { settledScroll } from './settled-scroll.ts';
import { enter, states } from './states.ts';
import { identify, identitySecret, sign } from './visitor-token.ts';

const fields = [
  { name: 'name', label: 'Your name', required: true },
  { name: 'email', label: 'E-mail', type: 'email', required: true },
  { name: 'day', label: 'Day', type: 'date', required: true, minimum: '2027-01-01' },
  { name: 'guests', label: 'Guests', type: 'number', minimum: 1, maximum: 4 },
  { name: 'site', label: 'Website', type: 'url' },
  {
    name: 'cabin',
    label: 'Cabin',
    type: 'select',
    required: true,
    options: [
      { id: 'c1', label: 'Heron' },
      { id: 'c2', label: 'Curlew' },
    ],
  },
  { name: 'terms', label: 'I keep to the house rules', type: 'checkbox', required: true },
  { name: 'wishes', label: 'Wishes', type: 'multiline' },
  { name: 'phone', label: 'Telephone', type: 'tel' },
];
const askForm = [{ ask: { prompt: 'Your booking', fields } }, { say: 'I have noted `{{result}}`.' }];
const send = (page: Page) => page.getByRole('button', { name: 'Answer', exact: true });

async function onMockService(page: Page, recording: Recording, run: (url: string) => Promise<void>) {
  const mock = await startMockService(recording);
  try {
    await run(mock.url);
  } finally {
    await mock.close();
  }
}

test('a form is filled in by keyboard, says what is wrong, and stays readable in every tab', async ({
  page,
  demo,
  script,
}) => {
  await script([{ steps: askForm }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Book a cabin');
  const form = page.getByRole('group', { name: 'Your booking' });
  const name = form.getByLabel('Your name');
  await expect(name).toHaveAccessibleName('Your name (required)');

  await name.focus();
  await page.keyboard.type('Ada');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ada at home');
  await page.keyboard.press('Enter');
  const email = form.getByLabel('E-mail');
  await expect(email).toBeFocused();
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await expect(email).toHaveAccessibleDescription('Write an e-mail address, such as name@example.com.');
  await expect(form.getByLabel('Day')).toHaveAccessibleDescription('Choose a full date.');
  await expect(form.getByLabel('Cabin')).toHaveAccessibleDescription('Choose an option first.');
  await expect(form.getByLabel('I keep to the house rules')).toHaveAccessibleDescription(
    'Tick this to go on.',
  );
  await expect(name).toHaveAttribute('aria-invalid', 'false');

  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('ada@example.com');
  await expect(email).toHaveAttribute('aria-invalid', 'false');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12242026');
  await form.getByLabel('Guests').focus();
  await page.keyboard.type('9');
  await page.keyboard.press('Tab');
  await page.keyboard.type('example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Cu');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('A late arrival');
  await page.keyboard.press('Tab');
  await page.keyboard.type('later');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(form.getByLabel('Day')).toBeFocused();
  await expect(form.getByLabel('Day')).toHaveAccessibleDescription('It must be January 1, 2027 or later.');
  await expect(form.getByLabel('Guests')).toHaveAccessibleDescription('It must be 4 or less.');
  await expect(form.getByLabel('Website')).toHaveAccessibleDescription(
    'Write a full address, such as https://example.com.',
  );
  await expect(form.getByLabel('Telephone')).toHaveAccessibleDescription('Write a telephone number.');
  await expect(form.getByLabel('Cabin')).toHaveValue('c2');

  await page.keyboard.type('12242027');
  await form.getByLabel('Guests').fill('2');
  await form.getByLabel('Website').fill('');
  await form.getByLabel('Telephone').fill('+44 1632 960118');
  await form.getByLabel('Guests').press('Enter');
  await expect(chat.log).toContainText(
    'I have noted {"name":"Ada","email":"ada@example.com","day":"2027-12-24","guests":2,"cabin":"c2","terms":true,"wishes":"A late arrival","phone":"+44 1632 960118"}.',
  );
  await expect(form).toBeHidden();
  await expect(page.getByRole('log')).toBeFocused();

  const readable = async (place: Page) => {
    for (const [label, value] of [
      ['Your name', 'Ada'],
      ['Day', 'December 24, 2027'],
      ['Guests', '2'],
      ['Cabin', 'Curlew'],
      ['I keep to the house rules', 'Yes'],
    ] as const)
      await expect(
        place.getByRole('log').locator('dl > div').filter({ hasText: label }).getByRole('definition'),
      ).toHaveText(value);
    await expect(place.getByRole('log').locator('dl')).not.toContainText('Website');
  };
  await readable(page);
  await page.reload();
  await readable(page);
  const second = await page.context().newPage();
  await openFernhill(second, demo);
  await readable(second);
});

test('a form that one tab has sent is no longer asked in another', async ({ page, demo, script }) => {
  await script([
    { steps: [{ ask: { prompt: 'Your name?', fields: fields.slice(0, 1) } }, { say: 'Noted.' }] },
  ]);
  const chat = await openFernhill(page, demo);
  await chat.say('Book a cabin');
  await expect(page.getByRole('group', { name: 'Your name?' })).toBeVisible();
  const second = await page.context().newPage();
  await openFernhill(second, demo);
  await second.getByLabel('Your name').fill('Ada');
  await send(second).click();
  await expect(second.getByRole('log').getByRole('definition')).toHaveText('Ada');
  await expect(page.getByRole('log').getByRole('definition')).toHaveText('Ada');
  await expect(page.getByRole('group', { name: 'Your name?' })).toBeHidden();
});

const half = async (page: Page) => {
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Day').fill('2027-12-24');
  await page.getByLabel('Guests').fill('2');
  await page.getByLabel('Cabin').selectOption('Curlew');
  await page.getByLabel('I keep to the house rules').check();
  await page.getByLabel('Wishes').fill('مرحبا\nA late arrival');
};
const hasHalf = async (page: Page) => {
  await expect(page.getByLabel('Your name')).toHaveValue('Ada');
  await expect(page.getByLabel('Day')).toHaveValue('2027-12-24');
  await expect(page.getByLabel('Guests')).toHaveValue('2');
  await expect(page.getByLabel('Cabin')).toHaveValue('c2');
  await expect(page.getByLabel('I keep to the house rules')).toBeChecked();
  await expect(page.getByLabel('Wishes')).toHaveValue('مرحبا\nA late arrival');
  await expect(page.getByLabel('Wishes')).toHaveAttribute('dir', 'auto');
  await expect(page.getByLabel('E-mail')).toHaveValue('');
};
/** What the browser keeps of forms that are not sent. */
const keptForms = (page: Page) =>
  page.evaluate(() =>
    Object.entries<string>(localStorage)
      .filter(([name]) => name.endsWith(':entries'))
      .map(([, text]) => text)
      .join(),
  );

test('a form half filled in is as it was after a reload, in another tab and in a widget made anew', async ({
  page,
  demo,
  script,
}) => {
  const secrets = [
    { name: 'password', label: 'Password' },
    { name: 'one_time_code', label: 'Code from your telephone' },
    { name: 'cardNumber', label: 'Card number' },
  ];
  await script([
    { steps: [{ ask: { prompt: 'Your booking', fields: [...fields, ...secrets] } }, { say: 'Noted.' }] },
  ]);
  const chat = await openFernhill(page, demo);
  await chat.say('Book a cabin');
  await expect(page.getByLabel('Your name')).toBeVisible();
  await expect.poll(() => keptForms(page)).toBe('');
  await half(page);
  for (const { label } of secrets) await page.getByLabel(label).fill('4711');
  expect(await keptForms(page)).not.toContain('4711');
  await page.reload();
  await hasHalf(page);
  for (const { label } of secrets) await expect(page.getByLabel(label)).toHaveValue('');

  await page.evaluate(async () => {
    const { parley: call } = globalThis;
    await call('destroy');
    const { key, name } = document.querySelector<HTMLElement>('script[data-key]')!.dataset;
    await call('init', { key, name });
    await call('open');
  });
  await hasHalf(page);

  const other = await page.context().newPage();
  await openFernhill(other, demo);
  await hasHalf(other);
  await other.getByLabel('E-mail').fill('ada@example.com');
  await send(other).click();
  await expect(chat.log).toContainText('Noted.');
  await expect(page.getByLabel('Your name')).toBeHidden();
  await expect.poll(() => keptForms(page)).toBe('');
});

test('what is ticked, and words of the visitor’s own, are kept while they make up their mind', async ({
  page,
  demo,
  script,
}) => {
  const options = [
    { id: 'city', label: 'In the city' },
    { id: 'gravel', label: 'On gravel' },
  ];
  const question = { prompt: 'Where do you ride?', options, allowFreeform: true };
  await script([
    { when: 'several', steps: [{ ask: { ...question, multiple: true } }, { say: 'Noted `{{result}}`.' }] },
    { steps: [{ ask: question }, { say: 'For {{result}} I would take two.' }] },
  ]);
  const chat = await openFernhill(page, demo);
  await chat.say('Which bike?');
  const other = page.getByRole('button', { name: 'Other…' });
  await other.click();
  const own = page.getByRole('textbox', { name: 'Your answer' });
  await own.fill('along the canal');
  await other.click();
  await expect(own).toBeHidden();
  await other.click();
  await expect(own).toHaveValue('along the canal');
  await page.reload();
  await expect(own).toHaveValue('along the canal');
  await send(page).click();
  await expect(chat.log).toContainText('For along the canal I would take two.');
  await expect.poll(() => keptForms(page)).toBe('');

  await chat.say('And several?');
  await page.getByRole('checkbox', { name: 'In the city' }).check();
  await page.getByRole('checkbox', { name: 'Other…' }).check();
  await own.fill('up and down');
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'In the city' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'On gravel' })).not.toBeChecked();
  await expect(own).toHaveValue('up and down');
  // While no page is there somebody else answers.
  const { sessionId, continuationToken } = await sessionOf(page);
  const kept = JSON.parse(await keptForms(page)) as Record<string, unknown>;
  const [requestId] = Object.keys(kept).map((each) => each.split(' ').at(-1));
  await page.goto('about:blank');
  await page.request.post(`${demo.service}/parley/v1/session/${sessionId}`, {
    headers: { authorization: `Bearer ${demo.secretKey}` },
    data: { continuationToken, inputResponses: [{ requestId, text: 'nowhere' }] },
  });
  await page.goBack();
  await expect(chat.log).toContainText('Noted nowhere.');
  await expect.poll(() => keptForms(page)).toBe('');
});

for (const [how, leave] of Object.entries<(page: Page, demo: RunningDemo) => Promise<unknown>>({
  'logs out': (page) => parley(page, 'logout'),
  'is another one': async (page, demo) => {
    await demo.configure({ identity: { secret: identitySecret } });
    await identify(page, sign('ada-forms', demo.agentId));
    await identify(page, sign('eve-forms', demo.agentId));
  },
  'has their data deleted': async (page) => {
    await menuOf(page).click();
    await page.getByRole('button', { name: 'Delete this conversation' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
  },
  'begins anew': (page) => page.getByRole('button', { name: 'New conversation' }).click(),
}))
  test(`nothing of a form half filled in is left when its visitor ${how}`, async ({ page, demo, script }) => {
    await script([{ when: 'cabin', steps: askForm }, ...heard]);
    const chat = await openFernhill(page, demo);
    await chat.say('Book a cabin');
    await half(page);
    const other = await page.context().newPage();
    await openFernhill(other, demo);
    await hasHalf(other);
    await leave(page, demo);
    await expect(other.getByLabel('Your name')).toBeHidden();
    await expect.poll(() => keptForms(other)).toBe('');
    await chat.say('Hello');
    await expect(chat.log).toContainText('Heard: Hello');
    await chat.say('Book a cabin');
    await expect(page.getByLabel('Your name')).toHaveValue('');
    await expect(page.getByLabel('Wishes')).toHaveValue('');
  });

test('several options are chosen by keyboard, with words of the visitor’s own', async ({
  page,
  demo,
  script,
}) => {
  const options = [
    { id: 'city', label: 'In the city' },
    { id: 'gravel', label: 'On gravel' },
    { id: 'tour', label: 'On tour' },
  ];
  await script([
    {
      steps: [
        { ask: { prompt: 'Where do you ride?', options, multiple: true, allowFreeform: true } },
        { say: 'I have noted `{{result}}`.' },
      ],
    },
  ]);
  const chat = await openFernhill(page, demo);
  await chat.say('Which bike?');
  const question = page.getByRole('group', { name: 'Where do you ride?' });
  await expect(question).toHaveAccessibleDescription('Choose one or more.');
  await send(page).press('Enter');
  await expect(question.getByRole('checkbox').first()).toBeFocused();
  await expect(question).toHaveAccessibleDescription('Choose one or more. Choose an option first.');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await send(page).press('Enter');
  const own = question.getByRole('textbox', { name: 'Your answer' });
  await expect(own).toBeFocused();
  await expect(own).toHaveAccessibleDescription('Write an answer first.');
  await page.keyboard.type('up and down');
  await send(page).press('Enter');
  await expect(chat.log).toContainText('I have noted ["city","tour",{"other":"up and down"}].');
  await expect(chat.log).toContainText('You answered: In the city, On tour, and up and down');
  await page.reload();
  await expect(chat.log).toContainText('You answered: In the city, On tour, and up and down');
});

test('who writes a message instead of filling in the form is heard', async ({ page, demo, script }) => {
  await script([{ steps: askForm }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Book a cabin');
  await expect(page.getByRole('group', { name: 'Your booking' })).toBeVisible();
  await chat.say('I would rather call you');
  await expect(chat.log).toContainText('I have noted I would rather call you.');
  await expect(chat.log).toContainText('You answered: I would rather call you');
});

test('an answer that is longer than the service takes stays, and says so', async ({ page, demo, script }) => {
  const field = { name: 'story', label: 'Your story', type: 'multiline', maxLength: 20_000 };
  await script([{ steps: [{ ask: { prompt: 'Tell us', fields: [field] } }, { say: 'Thank you.' }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await page.getByLabel('Your story').fill('a'.repeat(20_000));
  await send(page).click();
  await expect(page.getByRole('alert')).toHaveText('The message is too long.');
  await page.getByLabel('Your story').fill('a'.repeat(19_000));
  await send(page).click();
  await expect(chat.log).toContainText('Thank you.');
});

test('the answer to a form is followed as it comes', async ({ page, demo, script }) => {
  const ask = { prompt: 'Your name?', fields: fields.slice(0, 1) };
  const say = numberedWords(400);
  await script([{ steps: [{ say }, { ask }, { say: `${say}\n\nThe end.` }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await page.getByLabel('Your name').fill('Ada');
  await page.keyboard.press('Enter');
  await expect(chat.log.getByText('The end.')).toBeInViewport();
});

test('a form that could not be loaded comes by itself, and at once when the visitor tries again', async ({
  page,
  demo,
  script,
}) => {
  await script([{ steps: askForm }]);
  const wanted = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/assets/form-*.js', async (route) => {
    requests += 1;
    if (requests === 1) return route.abort();
    await wanted.promise;
    return route.continue();
  });
  const chat = await openFernhill(page, demo);
  await chat.say('Book a cabin');
  await expect(chat.log).toContainText('Your booking');
  await expect(page.getByRole('alert')).toContainText('The connection failed.');
  await expect.poll(() => requests).toBe(2);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toBeHidden();
  wanted.resolve();
  await expect(page.getByLabel('Your name')).toBeVisible();
});

test('a stay at Saltmarsh is asked for with a form, in a frame', async ({ page, demo }) => {
  await page.goto(`${demo.url}/saltmarsh/`);
  const frame = page.frameLocator('iframe');
  const chat = chatIn(frame);
  await chat.say('I would like to book a stay');
  await frame.getByLabel('Day of arrival').fill('2027-05-01');
  await frame.getByLabel('Nights').fill('3');
  await frame.getByLabel('E-mail').fill('ada@example.com');
  await frame.getByRole('button', { name: 'Ask for this stay' }).click();
  await expect(chat.log).toContainText('writes to you by noon tomorrow');
  await expect(chat.log).toContainText('May 1, 2027');
});

test('fields tell the browser what may stand in them, and keep it while other things arrive and the panel is closed', async ({
  page,
}) => {
  const mock = await startMockService(states['form']!);
  try {
    await enter(page, mock.url, states['form']!);
    await expect(page.getByLabel('Your name')).toHaveAttribute('autocomplete', 'name');
    await expect(page.getByLabel('E-mail')).toHaveAttribute('autocomplete', 'email');
    await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription('For the confirmation only.');
    await expect(page.getByLabel('Guests')).toHaveAttribute('inputmode', 'decimal');
    await expect(page.getByLabel('Wishes')).toHaveAttribute('placeholder', 'A cot, a late arrival…');
    const log = page.getByRole('log');
    await page.getByLabel('Your name').fill('Ada');
    const place = await settledScroll(log);
    mock.write(
      event('compaction.completed', { sequence: 1, turnId: 'turn_1', modelId: 'm', sessionId: 's1' }),
    );
    await expect(log).toContainText('Earlier messages were summarised');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Chat with Fern' }).click();
    await expect(page.getByLabel('Your name')).toHaveValue('Ada');
    await expect.poll(() => log.evaluate(({ scrollTop }) => scrollTop)).toBe(place);
  } finally {
    await mock.close();
  }
});

test('a form that is higher than the window is read from its beginning', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await onMockService(page, states['form']!, async (url) => {
    await enter(page, url, states['form']!);
    await expect(chatIn(page).log.getByText('Where will you ride?')).toBeInViewport();
    await expect(send(page)).not.toBeInViewport();
  });
});

const malformed: Record<string, unknown> = {
  'is no list': { name: 'a', label: 'A' },
  'is empty': [],
  'has nothing in it': [null],
  'has a field without a name': [{ label: 'A' }],
  'has a name that is none': [{ name: '__proto__', label: 'A' }],
  'has two fields of one name': [
    { name: 'a', label: 'A' },
    { name: 'a', label: 'B' },
  ],
  'has a type from the future': [{ name: 'a', label: 'A', type: 'hologram' }],
  'has a select without options': [{ name: 'a', label: 'A', type: 'select' }],
};

test('a form that is none is an ordinary question', async ({ page }) => {
  const requests = Object.entries(malformed).map(([how, given], index) => ({
    requestId: `ask_${index}`,
    kind: 'question',
    prompt: `Where to, if it ${how}?`,
    display: 'text',
    action: {
      kind: 'tool-call',
      callId: `call_${index}`,
      toolName: 'ask_question',
      input: { prompt: 'Where to?', fields: given },
    },
  }));
  const events = [...asked(1, 'Hello'), event('input.requested', { ...step(1), requests })];
  await onMockService(page, { events }, async (url) => {
    await enter(page, url, { shows: 'Where to, if it is no list?' });
    for (const { prompt } of requests)
      await expect(
        page.getByRole('group', { name: prompt }).getByRole('textbox', { name: 'Your answer' }),
      ).toBeVisible();
  });
});

test('a form speaks the visitor’s language, dates too, under a strict policy', async ({ page }) => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (/violat|refused to|Content Security/i.test(message.text())) faults.push(message.text());
  });
  const recording = { ...states['form']!, root: 'lang="de"', page: strictPolicy };
  await onMockService(page, recording, async (url) => {
    await page.addInitScript(
      ([name, value]) => localStorage.setItem(name!, value!),
      [`parley:${url.replace(/\/$/, '')}:pk_stage`, '{"sessionId":"s1","continuationToken":"t1"}'],
    );
    await page.goto(url);
    await page.getByRole('button', { name: 'Chat with Fern' }).click();
    const day = page.getByLabel('Day of arrival');
    await expect(day).toHaveAccessibleName('Day of arrival (Pflichtfeld)');
    await day.fill('2026-01-31');
    await page.getByRole('button', { name: 'Antworten' }).click();
    await expect(page.getByLabel('Your name')).toHaveAccessibleDescription('Füllen Sie dieses Feld aus.');
    await expect(day).toHaveAccessibleDescription('Frühestens am 20. November 2026.');
  });
  await onMockService(
    page,
    { ...states['form answered']!, root: 'lang="de"', page: strictPolicy },
    async (url) => {
      await page.addInitScript(
        ([name, value]) => localStorage.setItem(name!, value!),
        [`parley:${url.replace(/\/$/, '')}:pk_stage`, '{"sessionId":"s1","continuationToken":"t1"}'],
      );
      await page.goto(url);
      await page.getByRole('button', { name: 'Chat with Fern' }).click();
      await expect(page.getByRole('log')).toContainText('24. Dezember 2026');
    },
  );
  expect(faults).toEqual([]);
});
