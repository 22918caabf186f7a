import { expect, type Page } from '@playwright/test';
import { chatIn } from './chat.ts';
import { attach, film, hand, invoice, photo } from './files.ts';
import type { Recording } from './mock-service.ts';
import { picture } from './picture.ts';
import { identify, sign } from './visitor-token.ts';
import {
  action,
  answered,
  approval,
  asked,
  booking,
  called,
  cited,
  consent,
  ended,
  event,
  everything,
  question,
  request,
  result,
  rides,
  said,
  signIn,
  step,
  structured,
  turn,
  waiting,
  withFiles,
} from './recorded-turns.ts';

const answer = (page: Page) => page.getByRole('button', { name: 'Answer', exact: true }).press('Enter');

export interface State extends Recording {
  /** What shows that the state is there. */
  shows: string | RegExp;
  /** What a visitor does to get there. */
  act?: (page: Page) => Promise<void>;
  /** There is no conversation yet. */
  fresh?: boolean;
}

const say = (text: string) => (page: Page) => chatIn(page).say(text);

const greeted = [...asked(1, 'Hello'), ...said(1, 'Hi.'), ...ended(1)];
const openMenu = async (page: Page) => {
  await page.locator('.menu > summary').click();
  await expect(page.locator('.menu-item').first()).toBeVisible();
};
const askToDelete = async (page: Page) => {
  await openMenu(page);
  await page.locator('.delete').click();
};
const openList = async (page: Page) => {
  await identify(page, sign('ada', 'agt_stage'));
  await openMenu(page);
  await page.locator('.menu-item').first().click();
  await expect(page.locator('.conversations[aria-busy=false]')).toBeVisible();
};
const listed = (id: string, firstMessage: string | null, hoursAgo: number, status = 'open') => {
  const activeAt = new Date(
    Date.parse('2026-11-20T16:06:20.586Z') - hoursAgo * 60 * 60 * 1_000,
  ).toISOString();
  return { id, continuationToken: 't1', status, createdAt: activeAt, activeAt, firstMessage };
};

/** A member is asked, and a mail offered to whoever waits for the answer. */
const teamAsked: State = {
  config: { readyMail: true },
  post: { status: 202, body: { ok: true, sessionId: 's1', status: 'accepted' } },
  events: [
    ...asked(1, 'Do you ship to Norway?'),
    ...said(1, 'Let me see.', 'tool-calls'),
    event('team.asked', { ...step(1), requestId: 'ask_1', question: null, expiresAt: null }),
    ...ended(1),
  ],
  shows: 'Checking with a colleague.',
};
const enterAddress = (address: string) => async (page: Page) => {
  await page.locator('.ready-mail button').click();
  await page.locator('.ready-mail input').fill(address);
  await page.locator('.ready-mail input').press('Enter');
};

const portrait = `data:image/png;base64,${picture(112, 112).toString('base64')}`;

/** A canvas has a width of its own until something is drawn on it. */
const undrawn = 300;

/** The pictures of files are there. */
const drawn = (page: Page) =>
  expect
    .poll(() =>
      page
        .locator('canvas')
        .evaluateAll(
          (all, width) => all.filter((each) => (each as HTMLCanvasElement).width === width),
          undrawn,
        ),
    )
    .toEqual([]);

export const states: Record<string, State> = {
  empty: { fresh: true, shows: 'Hi! How can I help?' },
  'empty with a picture': {
    fresh: true,
    widget: { avatar: portrait },
    shows: 'Hi! How can I help?',
  },
  'answered with a picture': {
    widget: { avatar: portrait },
    events: [...asked(1, 'Where is it?'), ...said(1, everything), ...ended(1)],
    shows: 'Orders',
  },
  'loading history': { events: null, shows: 'AI assistant' },
  submitted: { fresh: true, act: say('Hello'), shows: 'Working…' },
  streaming: {
    events: [
      ...asked(1, 'Tell me a story'),
      event('message.appended', { ...step(1), messageDelta: 'Once upon a **time' }),
    ],
    shows: 'Once upon a time',
  },
  answered: { events: [...asked(1, 'Where is it?'), ...said(1, everything), ...ended(1)], shows: 'Orders' },
  'a person writes': {
    events: [
      ...asked(1, 'Can I talk to somebody?'),
      ...said(1, 'I ask my colleague.'),
      ...ended(1),
      event('turn.started', turn(2)),
      event('message.completed', {
        ...step(2),
        author: { kind: 'team', name: 'Grace', avatarUrl: portrait },
        message: 'Hello, what can I do for you?',
        finishReason: 'stop',
      }),
      ...ended(2),
    ],
    shows: 'Hello, what can I do for you?',
  },
  'a person without a picture writes': {
    widget: { avatar: portrait },
    events: [
      ...asked(1, 'Can I talk to somebody?'),
      ...ended(1),
      event('team.joined', { ...turn(1), author: { kind: 'team', name: 'Grace Hopper' } }),
      event('turn.started', { ...turn(2), author: { kind: 'team', name: 'Grace Hopper' } }),
      event('message.completed', {
        ...step(2),
        author: { kind: 'team', name: 'Grace Hopper' },
        message: 'Hello, what can I do for you?',
        finishReason: 'stop',
      }),
      ...ended(2),
      ...asked(3, 'Do you rent bicycles?'),
      event('team.away', { ...turn(3), reason: 'nobody', message: null }),
      ...ended(3),
    ],
    shows: 'Nobody of the team was online when they were asked.',
  },
  reasoning: {
    events: [
      ...asked(1, 'Why?'),
      event('reasoning.completed', { ...step(1), reasoning: 'Because of that.' }),
      ...said(1, 'So.'),
      ...ended(1),
    ],
    shows: 'Thought process',
  },
  'tool running': {
    events: [...asked(1, 'Refund'), called('refund_order', { order: 1 })],
    shows: 'You can close this',
  },
  'tool done': {
    events: [
      ...asked(1, 'Refund'),
      called('refund_order', { order: 1 }),
      result('completed', { refunded: true }),
      ...said(1, 'Done.'),
      ...ended(1),
    ],
    shows: 'done',
  },
  'tool failed': {
    events: [
      ...asked(1, 'Refund'),
      called('refund_order', { order: 1 }),
      result('failed', 'down', { code: 'ACTION_RESULT_FAILED', message: 'down' }),
      ...said(1, 'That did not work.'),
      ...ended(1),
    ],
    shows: 'This step did not work.',
  },
  'long-running': { events: asked(1, 'Compare all bikes'), shows: 'You can close this' },
  'an answer with its sources': { events: cited, shows: 'Opening hours' },
  'approval pending': { events: [...approval, ...ended(1)], shows: 'Your approval is needed' },
  'approval approved': {
    events: [
      ...approval,
      ...ended(1),
      answered({ optionId: 'approve', by: 'visitor' }),
      result('completed', {}),
    ],
    shows: 'Approved: Refund order',
  },
  'approval declined': {
    events: [
      ...approval,
      ...ended(1),
      answered({ optionId: 'deny', by: 'visitor' }),
      result('rejected', '', { code: 'TOOL_EXECUTION_DENIED', message: 'denied' }),
    ],
    shows: 'Declined: Refund order',
  },
  'approval expired': {
    events: [...approval, ...ended(1), event('input.expired', { ...turn(1), requestId: 'ask_1' })],
    shows: 'No longer needed: Refund order',
  },
  'team asked, mail to enter': {
    ...teamAsked,
    act: enterAddress('ada@example'),
    shows: 'Write an e-mail address, such as name@example.com.',
  },
  'team asked, mail to come': {
    ...teamAsked,
    act: enterAddress(`${'ada.of.the.long.name.'.repeat(4)}byron@example.com`),
    shows: /^We’ll write to .ada\./,
  },
  'approval answered by the team': {
    events: [...approval, ...ended(1), answered({ optionId: 'approve', by: 'team' })],
    shows: 'answered by the team',
  },
  'question with options': {
    events: question({
      display: 'select',
      allowFreeform: true,
      options: [
        { id: 'city', label: 'In the city', description: 'Short ways, many stops' },
        { id: 'gravel', label: 'On gravel' },
      ],
    }),
    act: (page) => page.getByRole('button', { name: 'Other…' }).click(),
    shows: 'Other…',
  },
  'question in words': {
    events: question({ display: 'text' }),
    act: (page) => expect(page.getByRole('textbox', { name: 'Your answer' })).toBeVisible(),
    shows: 'Where will you ride?',
  },
  'question unanswered': {
    events: question({ display: 'text' }),
    act: (page) => page.getByRole('button', { name: 'Answer', exact: true }).click(),
    shows: 'Write an answer first.',
  },
  'question answered': {
    events: [...question({ display: 'text' }), answered({ text: 'up and down', by: 'visitor' })],
    shows: 'You answered: up and down',
  },
  'several choices': {
    events: structured({ options: rides, multiple: true, allowFreeform: true }),
    act: async (page) => {
      await page.getByRole('checkbox').first().check();
      await page.getByRole('checkbox', { name: 'Other…' }).check();
      await answer(page);
    },
    shows: 'Write an answer first.',
  },
  'several choices answered': {
    events: [
      ...structured({ options: rides, multiple: true }),
      answered({ text: '["city","gravel",{"other":"up and down"}]', by: 'visitor' }),
    ],
    shows: 'You answered:',
  },
  form: { events: structured({ fields: booking }), shows: 'Your name' },
  'form with errors': {
    events: structured({ fields: booking }),
    act: async (page) => {
      await page.locator('[name$=name]').fill('Ada');
      await page.locator('[name$=email]').fill('ada');
      await page.locator('[name$=arrival]').fill('2020-01-01');
      await answer(page);
    },
    shows: /It must be .* or later/,
  },
  'form answered': {
    events: [
      ...structured({ fields: booking }),
      answered({
        text: JSON.stringify({
          name: 'Ada Byron',
          email: 'ada@example.com',
          arrival: '2026-12-24',
          guests: 2,
          cabin: 'heron',
          dog: true,
        }),
        by: 'visitor',
      }),
    ],
    shows: 'ada@example.com',
  },
  consent: { fresh: true, widget: { consent }, shows: 'Agree and start' },
  'form before the first message': {
    fresh: true,
    widget: { form: { title: 'Who are we talking to?', fields: booking.slice(0, 2) } },
    shows: 'Start chat',
  },
  'consent and form': {
    fresh: true,
    widget: { consent, form: { fields: booking } },
    act: (page) => page.getByRole('button', { name: 'Agree and start' }).click(),
    shows: 'Fill this in.',
  },
  'sign-in needed': { events: signIn, shows: 'Sign in to Calendar to go on' },
  'signed in': {
    events: [
      ...signIn,
      event('authorization.completed', { ...step(1), name: 'Calendar', outcome: 'authorized' }),
    ],
    shows: 'Signed in to Calendar',
  },
  'session limit': {
    events: [
      ...asked(1, 'Go on'),
      request({
        requestId: 's1:limit:input:1000',
        kind: 'session-limit',
        prompt: 'This conversation has reached its limit. Go on?',
        action: action('session_limit_continuation', {}),
        display: 'confirmation',
        allowFreeform: false,
        options: [
          { id: 'continue', label: 'Approve', style: 'primary' },
          { id: 'stop', label: 'Stop', style: 'danger' },
        ],
      }),
      ...ended(1),
    ],
    shows: 'This conversation has reached its limit.',
  },
  stopped: {
    events: [...asked(1, 'Count'), ...said(1, 'One, two'), event('turn.cancelled', turn(1)), waiting],
    shows: 'Stopped.',
  },
  'failed turn': {
    events: [
      ...asked(1, 'Hello'),
      event('turn.failed', { ...turn(1), code: 'MODEL_CALL_FAILED', message: 'x' }),
      waiting,
    ],
    shows: 'The answer could not be completed.',
  },
  'send failed': {
    fresh: true,
    post: { status: 400, body: { ok: false, code: 'BAD_REQUEST', error: 'no' } },
    act: say('Hello'),
    shows: 'Not sent. The message could not be accepted.',
  },
  'rate-limited': {
    fresh: true,
    post: {
      status: 429,
      body: { ok: false, code: 'RATE_LIMITED', error: 'slow', retryAfter: 30 },
      headers: { 'retry-after': '30' },
    },
    act: say('Hello'),
    shows: /Too many messages just now\. Trying again in .+\./,
  },
  queued: {
    events: asked(1, 'First'),
    act: async (page) => {
      await say('Second')(page);
      await say('Third')(page);
      await expect(page.getByText('Queued')).toHaveCount(2);
    },
    shows: 'Third',
  },
  offline: {
    events: [...asked(1, 'Hello'), ...said(1, 'Hi.'), ...ended(1)],
    act: (page) => page.context().setOffline(true),
    shows: 'You are offline.',
  },
  reconnecting: {
    events: [...asked(1, 'Hello'), ...said(1, 'Hi.'), ...ended(1)],
    cut: true,
    shows: 'Reconnecting…',
  },
  ended: {
    events: [...asked(1, 'Bye'), ...said(1, 'Bye.'), ...ended(1), { type: 'session.completed' }],
    shows: 'This conversation has ended.',
  },
  'no longer there': { missing: true, shows: 'This conversation is no longer available.' },
  'not set up': {
    fresh: true,
    config: { ok: false, reason: 'origin-not-allowed', message: 'Add it.' },
    shows: 'This chat is not set up for this website.',
  },
  summarised: {
    events: [
      ...asked(1, 'Hello'),
      ...said(1, 'Hi.'),
      ...ended(1),
      event('compaction.completed', { ...turn(1), modelId: 'm', sessionId: 's1' }),
    ],
    shows: 'Earlier messages were summarised',
  },
  'files held over the panel': {
    fresh: true,
    act: (page) => hand(page, 'dragover', photo),
    shows: 'Drop files here',
  },
  'files attached': {
    fresh: true,
    act: async (page) => {
      await attach(page, photo, invoice);
      await chatIn(page).field.fill('Is this the right route?');
      await drawn(page);
    },
    shows: 'invoice.pdf',
  },
  'files not accepted': {
    fresh: true,
    act: async (page) => {
      await attach(page, photo, film);
      await drawn(page);
    },
    shows: /^Not accepted: .*clip\.mp4.*\. You can send images, PDF, text files, and JSON\./,
  },
  'files sent': {
    events: [
      ...withFiles(1, 'Is this the right route?', photo, invoice),
      ...said(1, 'Yes, along the ridge.'),
      ...ended(1),
      ...withFiles(2, '', photo),
      ...said(2, 'That is the same place in the evening.'),
      ...ended(2),
      ...withFiles(3, '', photo, photo, photo),
      ...said(3, 'Three times the same.'),
      ...ended(3),
    ],
    act: drawn,
    shows: 'Three times the same.',
  },
  'files refused': {
    fresh: true,
    post: {
      status: 415,
      body: {
        ok: false,
        code: 'UNSUPPORTED_MEDIA_TYPE',
        error: 'This agent takes no application/pdf files, only image/*.',
        violations: [
          {
            kind: 'disallowed-media-type',
            mediaType: 'application/pdf',
            filename: 'invoice.pdf',
            allowedMediaTypes: ['image/*'],
          },
        ],
      },
    },
    act: async (page) => {
      await attach(page, photo, invoice);
      await say('Is this the right route?')(page);
    },
    shows: /Not accepted: .*invoice\.pdf.*\. You can send images\./,
  },
  menu: { events: greeted, act: openMenu, shows: 'Delete this conversation' },
  'asked before deleting': { events: greeted, act: askToDelete, shows: 'This cannot be undone.' },
  deleted: {
    events: greeted,
    act: async (page) => {
      await askToDelete(page);
      await page.locator('.confirm .danger').click();
    },
    shows: 'This conversation has been deleted.',
  },
  'deletion failed': {
    events: greeted,
    act: async (page) => {
      await askToDelete(page);
      await page.route('**/v1/session/s1', (route) => route.abort());
      await page.locator('.confirm .danger').click();
    },
    shows: 'The deletion could not be confirmed.',
  },
  'rated good': {
    events: [...greeted, ...asked(2, 'Where is it?'), ...said(2, everything), ...ended(2)],
    act: (page) => page.locator('.thumb[data-rating=up]').last().click(),
    shows: '1042',
  },
  'rated bad': {
    events: greeted,
    act: async (page) => {
      await page.locator('.thumb[data-rating=down]').click();
      await expect(page.locator('.rating-comment')).toBeVisible();
    },
    shows: 'Hi.',
  },
  'rating not stored': {
    events: greeted,
    act: async (page) => {
      await page.route('**/feedback', (route) => route.abort());
      await page.locator('.thumb[data-rating=up]').click();
    },
    shows: 'Your rating was not saved.',
  },
  conversations: {
    events: greeted,
    sessions: [
      listed('s1', 'Hello', 0),
      listed(
        's2',
        'Where is order 1042? It should have been here on Tuesday, and nobody told me anything.',
        3,
      ),
      listed('s3', null, 30),
      listed('s4', 'I would like to rent two bikes for a week in May', 400, 'completed'),
    ],
    act: openList,
    shows: 'Conversations',
  },
  'last conversation': {
    events: greeted,
    act: (page) => page.getByRole('button', { name: 'New conversation' }).click(),
    shows: 'Hello',
  },
  'long message': {
    events: [
      ...asked(1, Array.from({ length: 30 }, (_, index) => `Line ${index + 1} of what happened`).join('\n')),
      ...said(1, 'I see.'),
      ...ended(1),
    ],
    shows: 'Show more',
  },
  'waiting offline': {
    events: greeted,
    act: async (page) => {
      await page.context().setOffline(true);
      await expect(page.locator('.notice')).toBeVisible();
      await say('Are you there?')(page);
      await expect(page.getByRole('button', { name: 'Discard' })).toBeVisible();
    },
    shows: 'Waits for the connection',
  },
  'asked before deleting all': {
    events: greeted,
    act: async (page) => {
      await identify(page, sign('ada', 'agt_stage'));
      await openMenu(page);
      await page.locator('.delete-all').click();
    },
    shows: 'All your conversations and their files',
  },
  'no conversations': { fresh: true, act: openList, shows: 'No conversations yet.' },
};

/** Opens the widget of a mock service in this state. */
export async function enter(page: Page, url: string, { fresh, act, shows, config }: State): Promise<void> {
  if (!fresh)
    await page.addInitScript(
      ([name, value]) => localStorage.setItem(name!, value!),
      [`parley:${url.replace(/\/$/, '')}:pk_stage`, '{"sessionId":"s1","continuationToken":"t1"}'],
    );
  await page.goto(url);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  // What comes after the panel.
  if (!config || 'widget' in config) await expect(page.locator('summary[aria-label]').first()).toBeVisible();
  await act?.(page);
  // Seen, not only read out.
  const seen = page.getByRole('dialog').getByText(shows).and(page.locator(':not([aria-live])'));
  await expect(seen.last()).toBeVisible();
}
