import { type Browser, expect, type Page, test } from '@playwright/test';
import ICAL from 'ical.js';
import { openPostgresDatabase } from '../postgres-database.ts';
import { createAgent, startServer } from '../server.ts';
import { chatIn, menuOf, occurrences, sessionOf } from './chat.ts';
import { checkFocus, complaints } from './console-check.ts';
import { cutLinks, openLink } from './link.ts';
import { openMailServer } from './open-mail-server.ts';
import { openShop } from './open-shop.ts';

const script = [
  {
    when: 'appointment',
    steps: [
      { call: 'desk__free_slots', input: { days: 2 } },
      { say: 'These are free: {{result}}. Which one?' },
    ],
  },
  {
    when: '^book (\\S+)',
    steps: [
      { call: 'desk__book', input: { start: '{{1}}', name: 'Ada', email: 'ada@example.com' } },
      { say: 'Booked. {{result}}' },
    ],
  },
  {
    when: 'Norway',
    steps: [
      { say: 'Let me ask.' },
      { call: 'ask_team', input: { question: 'Do we ship to Norway?' } },
      { say: 'My colleagues say: {{result}}' },
    ],
  },
  { when: 'slow', steps: [{ say: 'One moment' }, { wait: 600_000 }, { say: 'Never said.' }] },
  { steps: [{ say: 'The agent heard: {{input}}' }] },
];

const eventsOf = (text: string): ICAL.Event[] =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));

const journey =
  'a visitor books, goes on at another device, is written to when the team has answered, and has a person through an outage';

test(`${journey}, on SQLite`, ({ page, browser }) => walk({ visitor: page, browser }));

test(`${journey}, on PostgreSQL`, async ({ page, browser }) => {
  const database = await openPostgresDatabase();
  try {
    await walk({ visitor: page, browser, databaseUrl: database.url });
  } finally {
    await database.close();
  }
});

interface Walk {
  readonly visitor: Page;
  readonly browser: Browser;
  /** By default a file of the service's own. */
  readonly databaseUrl?: string;
}

async function walk({ visitor, browser, databaseUrl }: Walk): Promise<void> {
  const mail = await openMailServer();
  const shop = await openShop();
  const link = await openLink();
  const directory = test.info().outputPath('service');
  const start = async () => {
    const started = await startServer({
      directory,
      environment: {
        PUBLIC_URL: link.url,
        EGRESS_ALLOW: `127.0.0.1:${mail.port}`,
        LOG_LEVEL: 'error',
        ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET_KEY_BASE: 's'.repeat(48) }),
      },
    });
    link.leadTo(started.url);
    return started;
  };
  let service = await start();
  try {
    const { tenantId, agentId } = await createAgent(service, script);
    await service.settings('PATCH', `/agents/${agentId}`, { teamQuestionMinutes: 30, readyMail: true });
    const created = <Answer>(path: string, body: object) => service.settings<Answer>('POST', path, body);
    await created('/connections', {
      agentId,
      kind: 'mail',
      name: 'post',
      host: '127.0.0.1',
      port: mail.port,
      security: 'none',
      from: 'desk@shop.example',
      recipients: ['*'],
    });
    const calendar = await created<{ feedUrl: string }>('/connections', {
      agentId,
      kind: 'calendar',
      name: 'desk',
      timeZone: 'Europe/Berlin',
      hours: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
      title: 'Test ride',
    });
    const keyOf = { tenantId, agentId, kind: 'publishable', allowedOrigins: [shop.origin] };
    const { key } = await created<{ key: string }>('/keys', keyOf);
    shop.page.html = `<script async src="${link.url}/v1/parley.js" data-key="${key}" data-name="Chat with Ada"></script>`;
    await visitor.goto(shop.origin);
    await visitor.getByRole('button', { name: 'Chat with Ada' }).click();
    const chat = chatIn(visitor);
    const desk = await openDesk();
    const found = complaints(desk);

    await test.step('books what is free once they approve, and has it in the mail and in the feed', async () => {
      await chat.say('I would like an appointment');
      await expect(chat.log).toContainText('Which one?');
      const [slot = ''] =
        /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d/.exec(await chat.log.innerText()) ?? [];
      await chat.say(`book ${slot}`);
      const approve = visitor.getByRole('button', { name: 'Approve' });
      await expect(approve).toBeVisible();
      await expect(visitor.getByText('Book: Test ride', { exact: true })).toBeVisible();
      await expect(visitor.getByText('ada@example.com').first()).toBeVisible();
      expect(mail.received).toEqual([]);
      await approve.click();
      await expect(chat.log).toContainText('Sent to ada@example.com.');
      const [invitation] = mail.received;
      expect([invitation?.to, invitation?.from?.text].flat()).toMatchObject([
        { text: 'ada@example.com' },
        'desk@shop.example',
      ]);
      const attached = invitation?.attachments.find(({ contentType }) => contentType === 'text/calendar');
      const [invited] = eventsOf(String(attached?.content));
      const [booked, ...others] = eventsOf(await (await fetch(calendar.feedUrl)).text());
      expect(others).toEqual([]);
      for (const each of [invited, booked])
        expect(each?.startDate.toJSDate().toISOString()).toBe(new Date(slot).toISOString());
      expect(booked?.uid).toBe(invited?.uid);
    });

    await test.step('goes on at another device, and is written to there once the team has answered', async () => {
      await menuOf(visitor).click();
      await visitor.getByRole('button', { name: 'Continue on another device' }).click();
      await expect(visitor.getByRole('img', { name: 'Continue on another device' })).toBeVisible();
      await visitor.evaluate(() => {
        navigator.clipboard.writeText = (text) => Promise.resolve(void (document.title = text));
      });
      const offer = visitor.getByRole('group', { name: 'Continue on another device' });
      await offer.getByRole('button', { name: 'Copy' }).click();
      await expect(visitor).toHaveTitle(/#parley:/);
      const phone = await (await browser.newContext({ viewport: { width: 400, height: 800 } })).newPage();
      await phone.clock.install();
      await phone.goto(await visitor.title());
      const question = phone.getByText('Continue the conversation from your other device here?');
      await expect(question).toBeVisible();
      expect(phone.url()).toBe(`${shop.origin}/`);
      const there = chatIn(phone);
      await expect(there.log).not.toContainText('Booked.');
      await phone.getByRole('button', { name: 'Continue', exact: true }).click();
      await expect(there.log).toContainText('Booked.');
      await visitor.keyboard.press('Escape');

      await there.say('Do you ship to Norway?');
      for (const { log } of [there, chat])
        await expect(log).toContainText('Checking with a colleague. You can go on writing.');
      await phone.clock.fastForward(20_000);
      await phone.getByRole('button', { name: 'E-mail me when ready' }).click();
      const address = phone.getByRole('textbox', { name: 'Your e-mail address' });
      await expect(address).toBeFocused();
      await address.fill('byron@example.com');
      await address.press('Enter');
      await expect(phone.getByText(/We’ll write to .*byron@example\.com.* once it’s ready/)).toBeVisible();

      await desk.getByRole('link', { name: /I would like an appointment/ }).click();
      await desk.getByRole('textbox', { name: 'Answer for the agent' }).fill('Yes, within a week.');
      await desk.getByRole('button', { name: 'Answer', exact: true }).click();
      for (const { log } of [there, chat]) {
        await expect(log).toContainText('Yes, within a week.');
        await expect(log).toContainText('Checked with a colleague');
      }
      await expect(phone.getByText(/We’ll write to/)).toHaveCount(0);
      await phone.context().close();
      // Before anybody takes over, and anything is killed: what a process dies with in its hands is not sent again.
      await expect.poll(() => mail.received.length).toBe(2);
      expect(mail.received[1]).toMatchObject({
        subject: 'Ada has answered',
        to: { text: 'byron@example.com' },
      });
      expect(mail.received[1]?.text).toContain(`\n${shop.origin}\n`);
      await desk.goto(`${link.url}/console#/inbox/all`);
    });

    await test.step('is answered by a person, through a cut network and a killed service', async () => {
      await chat.say('Something slow, please');
      await expect(chat.log).toContainText('One moment');
      // It is in the list by itself, and on top.
      await desk.getByRole('link', { name: /I would like an appointment/ }).click();
      const log = desk.getByRole('list', { name: 'What was said' });
      await expect(log).toContainText('One moment');
      await checkFocus(desk);
      await desk.getByRole('button', { name: 'Take over' }).click();
      await expect(desk.getByText('You answer now. The agent is not asked.')).toBeAttached();

      await visitor.context().setOffline(true);
      cutLinks();
      await chat.say('Is anybody there?');
      const reply = desk.getByRole('textbox', { name: 'Reply to the visitor' });
      await reply.fill('I am here.');
      await reply.press('Enter');
      await expect(log).toContainText('I am here.');
      // What is said may be heard before it is known to be sent, and nothing else is sent until then.
      await expect(reply).toHaveValue('');

      // The service takes a reply and is killed before it can say so.
      await desk.route('**/messages', async (route) => {
        await route.fetch();
        await service.kill();
        await route.abort();
      });
      await reply.fill('Take the blue one.');
      await reply.press('Enter');
      await expect(desk.getByRole('alert')).toBeVisible();
      await desk.unroute('**/messages');
      service = await start();
      await desk.reload();
      await expect(reply).toHaveValue('Take the blue one.');
      await reply.press('Enter');
      await expect(reply).toHaveValue('');
      await visitor.context().setOffline(false);

      const said = ['I am here.', 'Take the blue one.', 'Is anybody there?'];
      for (const text of said) {
        await expect(chat.log).toContainText(text);
        await expect(log).toContainText(text);
      }
      await expect(chat.log).toContainText('Grace');
      for (const text of [await chat.log.innerText(), await log.innerText()])
        expect(said.map((each) => occurrences(text, each))).toEqual([1, 1, 1]);

      await desk.getByRole('button', { name: 'Hand back…' }).click();
      await desk.getByRole('button', { name: 'Hand back', exact: true }).click();
      await expect(chat.log).toContainText('The agent heard: Is anybody there?');
      await expect(log).toContainText('The agent heard: Is anybody there?');
      const { sessionId } = await sessionOf(visitor);
      const { items } = await service.settings<{ items: { event: Said }[] }>(
        'GET',
        `/conversations/${sessionId}/events?limit=200`,
      );
      const voices = items.flatMap(({ event: { type, data } }) => {
        if (type === 'team.joined' || type === 'team.left') return [type];
        return type === 'message.completed' ? [data.author?.name ?? 'the agent'] : [];
      });
      expect(voices.slice(voices.indexOf('team.joined'))).toEqual([
        'team.joined',
        'Grace',
        'Grace',
        'team.left',
        'the agent',
      ]);
    });
    // That the network was cut is said by the browser, too.
    expect(found.filter((text) => !text.startsWith('Failed to load resource: net::'))).toEqual([]);

    async function openDesk(): Promise<Page> {
      const { token } = await created<{ token: string }>('/invitations', { role: 'agent', tenantId });
      const page = await (await browser.newContext()).newPage();
      await page.request.post(`${link.url}/api/v1/settings/invitations/accept`, {
        headers: { 'x-parley-console': '1' },
        data: { token, name: 'Grace', password: 'correct horse battery' },
      });
      await page.goto(`${link.url}/console#/inbox/all`);
      await expect(page.getByText('Nobody has written yet.')).toBeVisible();
      return page;
    }
  } finally {
    link.close();
    shop.close();
    mail.close();
    await service.stop();
  }
}

interface Said {
  readonly type: string;
  readonly data: { readonly author?: { readonly name?: string } };
}
