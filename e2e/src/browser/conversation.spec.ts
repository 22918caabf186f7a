import { expect, type Page, type Request, test as base } from '@playwright/test';
import { chatIn, heard, occurrences, openFernhill, toBegin } from './chat.ts';
import { startMockService, type Recording, type MockService } from './mock-service.ts';
import { asked, ended, event, said, step, turn, waiting } from './recorded-turns.ts';
import { enter } from './states.ts';
import { allowPatience, bePatient, passInterval } from './resilience/patience.ts';
import { hide, isInSight, show, test } from './resilience/resilience.ts';

test('what is written offline is sent once, when the network is back', async ({
  page,
  demo,
  context,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await chat.say('Are you there?');
  await expect(chat.log).toContainText('Waits for the connection');
  await expect(chat.log.getByText(/^(Working|Sending)/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
  await chat.say('Never mind');
  // Once nothing more is tried, a visitor may give up; what waits waits on.
  const discard = chat.log.getByRole('button', { name: 'Discard' });
  await expect(discard).toHaveCount(2);
  await expect(chat.log.getByText('Waits for the connection')).toHaveCount(2);
  await expect(chat.log).not.toContainText('Not sent');
  await discard.last().click();
  await context.setOffline(false);
  await expect(chat.log).toContainText('Heard: Are you there?');
  await expect(chat.log).not.toContainText('Never mind');
  expect(occurrences(await chat.log.innerText(), 'Heard: Are you there?')).toBe(1);
});

test('an unsent message outlives a reload and is sent then', async ({ page, demo, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await page.route(toBegin, (route) => route.abort());
  await chat.say('First words');
  await expect(chat.log).toContainText('Not sent');
  await page.unroute(toBegin);
  await page.reload();
  await expect(chat.log).toContainText('Heard: First words');
  await page.reload();
  await expect(chat.log).toContainText('Heard: First words');
  expect(occurrences(await chat.log.innerText(), 'Heard: First words')).toBe(1);
});

test('a draft outlives a reload; how much more it may be is said, and that it is too long', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await chat.field.fill('I was about to');
  await page.reload();
  await expect(chat.field).toHaveValue('I was about to');
  const left = page.getByText('characters left');
  await chat.field.fill('a'.repeat(19_990));
  await expect(left).toHaveText('10 characters left');
  await chat.field.fill('a'.repeat(20_003));
  await expect(page.getByText('The message is too long.')).toBeVisible();
  await expect(left).toBeHidden();
});

test('several messages wait while the agent works, and each is answered', async ({
  page,
  demo,
  script,
  finishRoads,
}) => {
  const look = { call: 'check_roads', input: { region: 'the coast' } };
  await script([{ when: 'slow', steps: [{ say: 'One after the other.' }, look] }, ...heard]);
  const chat = await openFernhill(page, demo);
  await chat.say('slow please');
  await expect(chat.log).toContainText('One after the other.');
  await chat.say('second');
  await chat.say('third');
  await expect(chat.log.getByText('Queued')).toHaveCount(2);
  finishRoads();
  await expect(chat.log).toContainText('Heard: third');
  await expect(chat.log).toContainText('Heard: second');
  await expect(chat.log.getByText('Queued')).toHaveCount(0);
});

const staged = base.extend<{ play: (recording: Recording) => Promise<MockService> }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
  play: async ({}, use) => {
    const mocks: MockService[] = [];
    await use(async (recording) => {
      const mock = await startMockService(recording);
      mocks.push(mock);
      return mock;
    });
    for (const mock of mocks) await mock.close();
  },
});

const greeted = [...asked(1, 'Hello'), ...said(1, 'Hi there.'), ...ended(1)];
const spoken = (sequence: number, text: string) => [
  ...asked(sequence, `Say ${text}`),
  ...said(sequence, text),
  ...ended(sequence),
];

staged(
  'an answer that was gone on with is one paragraph, addresses in it are links, a pause is marked, and a long message folds',
  async ({ page, play }) => {
    const rest = { ...turn(1), stepIndex: 1 };
    const answer = '[Your order](/orders/1042?tab=2), help@shop.example or +49 30 1234567.\n\nBye.';
    const later = { at: '2026-11-20T17:30:00.000Z' };
    const long = Array.from({ length: 30 }, (_, index) => `Line ${index + 1}`).join('\n');
    const mock = await play({
      events: [
        ...asked(1, 'One\ntwo'),
        ...said(1, 'The train leaves at', 'other'),
        event('step.started', rest),
        event('message.completed', { ...rest, message: ' nine **sharp**.', finishReason: 'stop' }),
        ...ended(1),
        ...[...asked(2, long), ...said(2, answer), ...ended(2)].map((each) => ({ ...each, meta: later })),
      ],
    });
    await enter(page, mock.url, { shows: 'Bye.' });
    const log = page.getByRole('log');
    await expect(log.getByRole('paragraph').filter({ hasText: 'train' })).toHaveText(
      'The train leaves at nine sharp.',
    );
    await expect(log.locator('p > time')).toHaveAttribute('datetime', later.at);
    for (const [name, href] of [
      ['Your order', `${mock.url}orders/1042?tab=2`],
      ['help@shop.example', 'mailto:help@shop.example'],
      ['+49 30 1234567', 'tel:+49301234567'],
    ] as const)
      await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', href);

    // The short one does not.
    const more = page.getByRole('button', { name: 'Show more' });
    await expect(more).toHaveCount(1);
    const bubble = page.locator('.bubble').last();
    const folded = (await bubble.boundingBox())!.height;
    await more.click();
    const less = page.getByRole('button', { name: 'Show less' });
    await expect(less).toHaveAttribute('aria-expanded', 'true');
    expect((await bubble.boundingBox())!.height).toBeGreaterThan(folded * 2);
    await less.click();
    await expect(more).toBeVisible();
    expect((await bubble.boundingBox())!.height).toBeCloseTo(folded, 0);
  },
);

staged(
  'what arrives behind a closed panel is counted on the launcher, a sign-in too',
  async ({ page, play }) => {
    const mock = await play({ events: greeted });
    await enter(page, mock.url, { shows: 'Hi there.' });
    await page.getByRole('button', { name: 'Close' }).click();
    for (const each of [...spoken(2, 'one'), ...spoken(3, 'two')]) mock.write(each);
    const launcher = page.getByRole('button', { name: 'Chat with Fern' });
    await expect(launcher).toHaveAttribute('data-badge', '2');
    await launcher.click();
    await expect(launcher).not.toHaveAttribute('data-badge');

    await page.getByRole('button', { name: 'Close' }).click();
    for (const each of asked(4, 'And my calendar?')) mock.write(each);
    const needed = { ...step(4), name: 'Calendar' };
    const authorization = { url: 'https://accounts.example/device' };
    mock.write(
      event('authorization.required', { ...needed, description: 'Your appointments.', authorization }),
    );
    await expect(launcher).toHaveAttribute('data-badge', '1');
    mock.write(event('authorization.completed', { ...needed, outcome: 'authorized' }));
    await expect(launcher).not.toHaveAttribute('data-badge');
  },
);

/** A tab that listens to the first one, and how many streams it reads itself. */
async function second(page: Page, mock: MockService) {
  const other = await page.context().newPage();
  const open = new Set<Request>();
  other.on('response', (response) => {
    if (response.url().includes('/stream')) open.add(response.request());
  });
  other.on('requestfailed', (request) => open.delete(request));
  const streams = () => open.size;
  await enter(other, mock.url, { shows: 'Hi there.' });
  await expect.poll(streams).toBe(0);
  return { other, streams };
}

staged('the tab that listens reads on when the one that read is closed', async ({ page, play }) => {
  const mock = await play({ events: greeted });
  await enter(page, mock.url, { shows: 'Hi there.' });
  const { other, streams } = await second(page, mock);
  for (const each of spoken(2, 'to both')) mock.write(each);
  for (const tab of [page, other])
    await expect(tab.getByText('to both', { exact: true }).first()).toBeVisible();
  await page.close();
  await expect.poll(streams).toBe(1);
  mock.write(asked(3, 'Still there?')[0]!);
  for (const each of spoken(3, 'to one')) mock.write(each);
  await expect(other.getByText('to one', { exact: true }).first()).toBeVisible();
});

staged('the tab that listens takes the stream from one that is frozen', async ({ page, play }) => {
  const mock = await play({ events: greeted });
  await allowPatience(page);
  await enter(page, mock.url, { shows: 'Hi there.' });
  const { other, streams } = await second(page, mock);
  // Nor does it lose its patience when it is awake again.
  await bePatient(page);
  const session = await page.context().newCDPSession(page);
  // A page in the debugger runs no code, as a frozen one.
  await session.send('Debugger.enable');
  await session.send('Debugger.pause');
  await expect.poll(streams).toBe(1);
  for (const each of spoken(2, 'to the awake')) mock.write(each);
  await expect(other.getByText('to the awake', { exact: true }).first()).toBeVisible();
  // Awake again it asks who reads, and does not take the stream back.
  const listening = await other.evaluateHandle(
    (name) => {
      const channel = new BroadcastChannel(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      channel.onmessage = ({ data }) => data.kind === 'ask' && resolve();
      // A bare promise would be waited for, and the listener is to be there before the page wakes up.
      return { promise };
    },
    `parley:${mock.url.replace(/\/$/, '')}:pk_stage:s1`,
  );
  // Awake it learns first that it has lost the stream, and lets go of its own: before, it would ask nobody.
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/stream'));
  await session.detach();
  await lost;
  await passInterval(page, 2_000);
  await listening.evaluate(({ promise }) => promise);
  await expect(page.getByText('to the awake', { exact: true }).first()).toBeVisible();
  await expect.poll(streams).toBe(1);
});

staged('a conversation that has ended is not read on by a tab that listened', async ({ page, play }) => {
  const events = [...greeted];
  const mock = await play({ events });
  await enter(page, mock.url, { shows: 'Hi there.' });
  const { other, streams } = await second(page, mock);
  // What arrives in the background is looked at a while later.
  await hide(other);
  const completed = event('session.completed', {});
  // The other tab may hear that nobody reads before it hears why, and read it for itself.
  events.push(completed);
  mock.write(completed);
  for (const tab of [page, other]) await expect(tab.getByText('This conversation has ended.')).toBeVisible();
  const readers = () =>
    other.evaluate(async () => {
      const { held, pending } = await navigator.locks.query();
      return [...held!, ...pending!].filter(({ name }) => name!.endsWith(':s1')).length;
    });
  await expect.poll(readers).toBe(0);
  await expect.poll(streams).toBe(0);
});

staged('a conversation goes on where storage is blocked', async ({ page, play }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
  });
  const mock = await play({ events: greeted });
  await page.goto(mock.url);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await chatIn(page).say('Hello');
  await expect(page.getByRole('log')).toContainText('Hi there.');
});

staged(
  'the widget speaks the language it is given, from right to left where that is read so',
  async ({ page, play }) => {
    const german = await play({ attributes: 'data-locale="de"' });
    await page.goto(german.url);
    await page.getByRole('button', { name: 'Chat with Fern' }).click();
    await expect(page.getByRole('textbox', { name: 'Nachricht' })).toBeVisible();
    const arabic = await play({ root: 'lang="ar"' });
    await page.goto(arabic.url);
    await page.getByRole('button', { name: 'Chat with Fern' }).click();
    await expect(page.getByRole('textbox', { name: 'رسالة' })).toHaveCSS('direction', 'rtl');
    const english = await play({ root: 'lang="ar"', events: greeted });
    await enter(page, english.url, { shows: 'Hi there.' });
    await expect(page.locator('.bubble > [dir]')).toHaveCSS('direction', 'ltr');
    // Where it stands is the panel's direction: it never leaves it.
    const time = page.locator('.bubble .time');
    const [panel, place] = await Promise.all([page.getByRole('dialog').boundingBox(), time.boundingBox()]);
    expect(place!.x).toBeGreaterThan(panel!.x);
    expect(place!.x + place!.width).toBeLessThan(panel!.x + panel!.width);
  },
);

staged(
  'of a thousand messages the last are shown first, then all, and all are printed',
  async ({ page, play }) => {
    const events = Array.from({ length: 500 }, (_, index) => [
      ...asked(index + 1, `Question ${index + 1}`),
      ...said(index + 1, `Answer **${index + 1}**`),
      ...ended(index + 1),
    ]).flat();
    const mock = await play({ events });
    await enter(page, mock.url, { shows: 'Question 500' });
    await expect(page.getByText('Question 500')).toBeInViewport();
    await expect(page.locator('section.turn')).toHaveCount(500);
    await expect(page.getByText('Question 500')).toBeInViewport();
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('.slice').first()).toHaveCSS('content-visibility', 'visible');
  },
);

staged('a reader who looks up is told how much is new, and taken there', async ({ page, play }) => {
  const long = Array.from({ length: 12 }, (_, index) =>
    spoken(index + 1, `Line after line ${index + 1}. `.repeat(20)),
  );
  const mock = await play({ events: long.flat() });
  await enter(page, mock.url, { shows: /Line after line 12/ });
  await page.getByRole('log').hover();
  await page.mouse.wheel(0, -600);
  await expect(page.getByRole('button', { name: 'Latest messages' })).toBeVisible();
  for (const each of [...spoken(13, 'one more'), ...spoken(14, 'and one more')]) mock.write(each);
  await page.getByRole('button', { name: '2 new messages' }).click();
  await expect(page.getByText('and one more', { exact: true }).first()).toBeInViewport();
  await expect(page.getByRole('button', { name: /messages/i })).toHaveCount(0);
});

staged('who wants to hears of an answer on a page out of sight by its title', async ({ page, play }) => {
  const mock = await play({ events: greeted });
  await enter(page, mock.url, { shows: 'Hi there.' });
  await page.getByRole('log').focus();
  await page.locator('summary[aria-label="Menu"]').click();
  await page.getByRole('checkbox', { name: 'Sound for new answers' }).check();
  await expect.poll(() => isInSight(page)).toBe(true);
  await hide(page);
  for (const each of spoken(2, 'news')) mock.write(each);
  await expect(page).toHaveTitle('● MockService');
  await show(page);
  await expect(page).toHaveTitle('MockService');
});

staged('Escape closes the panel, but not while a word is being composed', async ({ page, play }) => {
  const mock = await play({ events: greeted });
  await enter(page, mock.url, { shows: 'Hi there.' });
  const { field } = chatIn(page);
  // As Safari tells it: after the composition has ended, by the key code alone.
  await field.evaluate((element) =>
    element.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true, composed: true }),
    ),
  );
  await expect(page.getByRole('dialog')).toBeVisible();
  await field.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

staged('who stops an answer by the keyboard goes on in the field', async ({ page, play }) => {
  const mock = await play({
    events: [...asked(1, 'Tell me'), event('message.appended', { ...step(1), messageDelta: 'Once.' })],
  });
  await enter(page, mock.url, { shows: 'Once.' });
  const stop = page.getByRole('button', { name: 'Stop' });
  await stop.press('Enter');
  await expect(stop).toBeDisabled();
  // Some of it was on its way, and what cannot be used has no focus.
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('body');
  mock.write(event('message.appended', { ...step(1), messageDelta: '\n\nAnd then.' }));
  await expect(page.getByText('And then.').first()).toBeVisible();
  for (const each of [event('turn.cancelled', turn(1)), waiting]) mock.write(each);
  await expect(page.getByText('Stopped.')).toBeVisible();
  await expect(chatIn(page).field).toBeFocused();
});

staged('who stops an answer and goes on in the page is not called back from it', async ({ page, play }) => {
  const mock = await play({
    events: [...asked(1, 'Tell me'), event('message.appended', { ...step(1), messageDelta: 'Once.' })],
  });
  await enter(page, mock.url, { shows: 'Once.' });
  await page.evaluate(() => document.body.append(document.createElement('input')));
  const elsewhere = page.locator('body > input');
  const stop = page.getByRole('button', { name: 'Stop' });
  await stop.press('Enter');
  await expect(stop).toBeDisabled();
  await elsewhere.focus();
  for (const each of [event('turn.cancelled', turn(1)), waiting]) mock.write(each);
  await expect(stop).toHaveCount(0);
  await elsewhere.blur();
  for (const each of [...asked(2, 'And now?'), ...said(2, 'Now this.'), ...ended(2)]) mock.write(each);
  await expect(page.getByText('Now this.').first()).toBeVisible();
  await expect(chatIn(page).field).not.toBeFocused();
});

staged('a page that writes its language its own way is no reason to show nothing', async ({ page, play }) => {
  const mock = await play({ events: greeted, root: 'lang="de_DE"' });
  await enter(page, mock.url, { shows: 'Hi there.' });
  await expect(page.getByText('KI-Assistent')).toBeVisible();
});
