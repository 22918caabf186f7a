import ICAL from 'ical.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chatService } from '../../testing/chat-service.ts';
import { request } from '../../testing/test-service.ts';
import { asked, dataOf, said, Visitor, type VisitorSession } from '../../testing/visitor.ts';
import { as, identitySecret } from '../../testing/visitor-token.ts';

const service = await chatService();
const allDay = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }];

// The first time that is free is none any more half an hour later at most.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const script = [
  {
    when: 'free from (\\S+)',
    steps: [{ call: 'desk__free_slots', input: { from: '{{1}}', days: 2 } }, { say: '{{result}}' }],
  },
  // What is left of today, and two days: more than one look gives, late in the evening, too.
  { when: 'free', steps: [{ call: 'desk__free_slots', input: { days: 3 } }, { say: '{{result}}' }] },
  {
    when: 'lines',
    steps: [
      { call: 'desk__book', input: { start: 'tomorrow', name: 'Ada\r\nATTENDEE:mailto:eve@example.com' } },
      { say: '{{result}}' },
    ],
  },
  {
    when: 'book (\\S+)',
    steps: [
      {
        call: 'desk__book',
        input: { start: '{{1}}', name: 'Ada', email: 'ada@example.com', note: 'Tyres; both' },
      },
      { say: '{{result}}' },
    ],
  },
  {
    when: 'move (\\S+) to (\\S+)',
    steps: [{ call: 'desk__move', input: { appointment: '{{1}}', start: '{{2}}' } }, { say: '{{result}}' }],
  },
  {
    when: 'cancel (\\S+)',
    steps: [{ call: 'desk__cancel', input: { appointment: '{{1}}' } }, { say: '{{result}}' }],
  },
];

async function desk(fields: Record<string, unknown> = {}) {
  const agent = await service.agent(script, { agent: { identity: { secret: identitySecret } } });
  const calendar = await service.settings('POST', '/connections', {
    agentId: agent.agentId,
    kind: 'calendar',
    name: 'desk',
    timeZone: 'Europe/Berlin',
    hours: allDay,
    title: 'Test ride',
    location: 'Quay 4',
    ...fields,
  });
  expect(calendar.status, JSON.stringify(calendar.body)).toBe(201);
  return { agent, calendar: calendar.body };
}

type Feed = {
  readonly uid: string;
  readonly summary: string;
  readonly start: string;
  readonly location: string;
  readonly organizer: string | null;
};

async function feed(url: string): Promise<Feed[]> {
  const answer = await request(url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  const calendar = new ICAL.Component(ICAL.parse(answer.body));
  return calendar.getAllSubcomponents('vevent').map((each) => {
    const { uid, summary, startDate, location, organizer } = new ICAL.Event(each);
    return { uid, summary, location, organizer, start: startDate.toJSDate().toISOString() };
  });
}

/** The answer to a message whose call somebody approves. */
async function approved(session: VisitorSession, message: string, waits: number): Promise<string> {
  await session.send({ message });
  const [request] = asked(await session.log(waits)).slice(-1);
  await session.send({ inputResponses: [{ requestId: request?.requestId, optionId: 'approve' }] });
  return said(await session.log(waits + 1)).at(-1) ?? '';
}

test('a visitor sees what is free, books once they approve, moves and cancels, and the feed has it', async () => {
  const { agent, calendar } = await desk();
  const { key } = await agent.key('publishable', { allowMissingOrigin: true });
  const config = await request(`${service.url}/v1/config?key=${key}`);
  expect(config.body.tools).toMatchObject({
    desk__book: { title: { en: 'Book: Test ride', de: 'Buchen: Test ride' } },
  });
  const session = await new Visitor(service.url, key).start('What is free?');
  const free = JSON.parse(said(await session.log(1)).at(-1) ?? '') as { slots: string[] };
  const [first = '', second = ''] = free.slots;
  expect(free).toMatchObject({ timeZone: 'Europe/Berlin', minutes: 30 });
  expect(new Date(second).getTime() - new Date(first).getTime()).toBe(30 * 60_000);
  expect(await feed(calendar.feedUrl)).toEqual([]);

  const booked = JSON.parse(await approved(session, `book ${first}`, 2)) as { appointment: string };
  expect(booked).toMatchObject({ start: first, title: 'Test ride' });
  const start = new Date(first).toISOString();
  expect(await feed(calendar.feedUrl)).toEqual([
    { uid: booked.appointment, summary: 'Test ride: Ada', location: 'Quay 4', organizer: null, start },
  ]);
  // What one visitor has, no other is offered or given.
  const other = await new Visitor(service.url, key).start('What is free?');
  const left = JSON.parse(said(await other.log(1)).at(-1) ?? '') as { slots: string[] };
  expect(left.slots[0]).toBe(second);
  expect(await approved(other, `book ${first}`, 2)).toBe(
    'Nothing was booked: this time is not free. Look for free times again.',
  );

  expect(await approved(session, `move ${booked.appointment} to ${second}`, 4)).toContain(second);
  expect(await feed(calendar.feedUrl)).toMatchObject([{ start: new Date(second).toISOString() }]);
  expect(await approved(session, `cancel ${booked.appointment}`, 6)).toContain('"cancelled"');
  expect(await feed(calendar.feedUrl)).toEqual([]);
  const calls = dataOf(await session.log(7), 'action.result').map(({ result }) => result.toolName);
  expect(calls).toEqual(['desk__free_slots', 'desk__book', 'desk__move', 'desk__cancel']);
});

test('on Chat a calendar without approvals books, and with them it only looks', async () => {
  const { agent, calendar } = await desk();
  const { slots } = JSON.parse((await agent.ask('a', 'free')).body.text) as { slots: string[] };
  expect((await agent.ask('a', `book ${slots[0]}`)).body.text).toBe('I cannot use desk__book here.');
  await service.settings('PATCH', `/connections/${calendar.id}`, { approval: 'never' });
  const answers = await Promise.all(['b', 'c', 'd'].map((id) => agent.ask(id, `book ${slots[0]}`)));
  const texts = answers.map(({ body }): string => body.text).toSorted();
  expect(texts).toEqual([
    expect.stringMatching(/^Nothing was/),
    expect.stringMatching(/^Nothing was/),
    expect.stringMatching(/^\{/),
  ]);
  expect((await agent.ask('a', 'book tomorrow')).body.text).toMatch(
    /Expected a start as free_slots gives it/,
  );
  expect((await agent.ask('a', 'lines')).body.text).toMatch(/name: Expected one line/);
  expect((await agent.ask('a', 'cancel appointment_0')).body.text).toMatch(/^There is no such appointment/);
});

test('a look goes on where the one before ended, and begins at any time of a day', async () => {
  const { agent } = await desk();
  const free = async (text: string) =>
    JSON.parse((await agent.ask('a', text)).body.text) as { slots: string[]; more: boolean; next?: string };
  const first = await free('free');
  expect([first.slots.length, first.more]).toEqual([60, true]);
  const then = await free(`free from ${first.next}`);
  expect(then.slots[0]).toBe(first.next);
  expect(new Date(first.next ?? '').getTime()).toBe(
    new Date(first.slots.at(-1) ?? '').getTime() + 30 * 60_000,
  );
  const day = first.next?.slice(0, 10) ?? '';
  expect((await free(`free from ${day}T15:00`)).slots[0]).toMatch(`${day}T15:00:00+`);
  expect((await free(`free from ${day}`)).slots[0]).toMatch(`${day}T00:00:00+`);
  expect((await agent.ask('a', 'free from noon')).body.text).toMatch(
    /from: Expected a day or a time, such as 2026-11-24 or 2026-11-24T15:00\./,
  );
});

test('a feed is read by whoever has its address, until it has another', async () => {
  const { calendar } = await desk({ title: 'Ride,\r\nATTENDEE:mailto:eve@example.com' });
  expect((await request(calendar.feedUrl)).body).not.toMatch(/^ATTENDEE/m);
  const wrong = String(calendar.feedUrl).replace(/.(?=\.ics$)/, (last) => (last === 'A' ? 'E' : 'A'));
  expect((await request(wrong)).status).toBe(404);
  expect(
    (await request(wrong.replace(/connection_\w+/, calendar.id.replace('connection', 'tool')))).status,
  ).toBe(404);
  const path = `/connections/${calendar.id}`;
  const renewed = await service.settings('PATCH', path, { newFeedUrl: true });
  expect((await request(calendar.feedUrl)).status).toBe(404);
  expect(await feed(renewed.body.feedUrl)).toEqual([]);
  const foreign = await service.settings('PATCH', path, { url: 'https://mcp.example.com' });
  expect([foreign.status, foreign.body.issues[0].message]).toEqual([400, 'Unrecognized key: "url"']);
  const backwards = await service.settings('PATCH', path, {
    hours: [{ days: [1], from: '10:00', to: '09:00' }],
  });
  expect(backwards.status).toBe(400);
  const odd = await service.settings('PATCH', path, { hours: [{ days: [1], from: '09:03', to: '10:00' }] });
  expect([odd.status, odd.body.issues[0].path]).toEqual([400, ['hours', 0, 'from']]);
  expect((await service.settings('PATCH', path, { timeZone: 'Nowhere' })).status).toBe(400);
});

test('one conversation books no more than it may, and moves each appointment ten times', async () => {
  const { agent } = await desk({ approval: 'never', bookingsPerConversation: 2 });
  const { slots } = JSON.parse((await agent.ask('a', 'free')).body.text) as { slots: string[] };
  const book = async (id: string, slot: string | undefined): Promise<string> =>
    (await agent.ask(id, `book ${slot}`)).body.text;
  const first = JSON.parse(await book('a', slots[0])) as { appointment: string };
  await agent.ask('a', `cancel ${first.appointment}`);
  const { appointment } = JSON.parse(await book('a', slots[1])) as { appointment: string };
  const refused = /^Nothing was changed: no more is booked or moved here/;
  expect(await book('a', slots[2])).toMatch(refused);
  expect(await book('b', slots[2])).toMatch(/^\{/);
  const moved: boolean[] = [];
  for (const slot of slots.slice(3, 14)) {
    const { body } = await agent.ask('a', `move ${appointment} to ${slot}`);
    moved.push(refused.test(body.text));
  }
  expect(moved).toEqual([...Array<boolean>(10).fill(false), true]);
});

test('an appointment that has begun is neither moved nor cancelled, and stays in the feed', async () => {
  const { agent, calendar } = await desk({ approval: 'never', noticeMinutes: 0 });
  const { slots } = JSON.parse((await agent.ask('a', 'free')).body.text) as { slots: string[] };
  const book = async (slot: string | undefined) =>
    (JSON.parse((await agent.ask('a', `book ${slot}`)).body.text) as { appointment: string }).appointment;
  const [over, ahead] = [await book(slots[1]), await book(slots[2])];
  await agent.ask('a', `cancel ${ahead}`);
  vi.setSystemTime(new Date(slots[1] ?? ''));
  const refused = /^Nothing was changed: the appointment has begun or is over/;
  expect((await agent.ask('a', `move ${over} to ${slots[5]}`)).body.text).toMatch(refused);
  expect((await agent.ask('a', `cancel ${over}`)).body.text).toMatch(refused);
  expect(await feed(calendar.feedUrl)).toMatchObject([{ start: new Date(slots[1] ?? '').toISOString() }]);
  // What was cancelled in time is, however late that is delivered again.
  vi.setSystemTime(new Date(slots[2] ?? ''));
  expect((await agent.ask('a', `cancel ${ahead}`)).body.text).toContain('"cancelled"');
});

test('an appointment is moved and cancelled by whom it is for alone, though others know its id', async () => {
  const { agent, calendar } = await desk({ approval: 'never', bookingsPerConversation: 9 });
  const { slots } = JSON.parse((await agent.ask('a', 'free')).body.text) as { slots: string[] };
  const [first = '', second = '', third = '', fourth = ''] = slots;
  const ada = { headers: await as(agent.agentId, 'ada') };
  const book = async (id: string, slot: string, init = {}) => {
    const { body } = await agent.ask(id, `book ${slot}`, init);
    return (JSON.parse(body.text) as { appointment: string }).appointment;
  };
  const anonymous = await book('a', first);
  const verified = await book('ada', second, ada);
  const isFeed = async (starts: readonly string[]) =>
    expect((await feed(calendar.feedUrl)).map(({ start }) => start)).toEqual(
      starts.map((start) => new Date(start).toISOString()),
    );

  const foreign = await desk({ approval: 'never' });
  const strangers: [ask: (text: string) => ReturnType<typeof agent.ask>, ids: string[]][] = [
    [(text) => agent.ask('stranger', text), [anonymous, verified]],
    [(text) => agent.ask('a', text), [verified]],
    [(text) => agent.ask('ada', text, ada), [anonymous]],
    [
      async (text) => agent.ask('eve', text, { headers: await as(agent.agentId, 'eve') }),
      [anonymous, verified],
    ],
    [
      async (text) => foreign.agent.ask('ada', text, { headers: await as(foreign.agent.agentId, 'ada') }),
      [anonymous, verified],
    ],
  ];
  for (const [ask, ids] of strangers)
    for (const id of ids)
      for (const text of [`move ${id} to ${third}`, `cancel ${id}`])
        expect((await ask(text)).body.text).toMatch(/^There is no such appointment/);
  await isFeed([first, second]);

  // Whoever is known is the same person on another device, and whoever is not is their conversation.
  expect((await agent.ask('phone', `move ${verified} to ${third}`, ada)).body.text).toContain(third);
  expect((await agent.ask('a', `move ${anonymous} to ${fourth}`)).body.text).toContain(fourth);
  await isFeed([third, fourth]);
  // The feed names by whom invitations are sent, once any are.
  const post = { agentId: agent.agentId, kind: 'mail', name: 'post', host: 'mail.example.com', port: 465 };
  const sender = { ...post, security: 'tls', from: 'desk@shop.example', recipients: ['*'] };
  const { body: mail } = await service.settings('POST', '/connections', sender);
  const organizer = 'mailto:desk@shop.example';
  expect(await feed(calendar.feedUrl)).toMatchObject([{ organizer }, { organizer }]);
  expect((await service.settings('DELETE', `/connections/${mail.id}`)).status).toBe(204);
  expect((await agent.ask('phone', `cancel ${verified}`, ada)).body.text).toContain('"cancelled"');
  expect((await agent.ask('a', `cancel ${anonymous}`)).body.text).toContain('"cancelled"');
  // A second cancellation in another conversation would send the invitation of the first one again.
  expect((await agent.ask('stranger', `cancel ${anonymous}`)).body.text).toMatch(/^There is no such/);
  await isFeed([]);
});
