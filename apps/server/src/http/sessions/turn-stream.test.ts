import { expect, test } from 'vitest';
import type { Answer } from '../../testing/test-service.ts';
import { as, identitySecret, visitorToken, visitorTokenHeader } from '../../testing/visitor-token.ts';
import {
  type Reader,
  Visitor,
  VisitorSession,
  dataOf,
  linesOf,
  said,
  sharedService,
  typesOf,
} from '../../testing/visitor.ts';

const service = await sharedService();
const echo = [{ steps: [{ say: '{{input}}' }] }];
const held = [
  { when: 'slow', steps: [{ say: 'word ', repeat: 3_000, delayMs: 20 }] },
  { steps: [{ say: '{{input}}' }] },
];
const tokenHeader = 'x-parley-continuation-token';
const tailHeader = 'x-parley-stream-tail-index';

const header = ({ response }: Reader, name: string) => response.headers.get(name);

/** The session that a streamed create began, as its headers tell it. */
const sessionOf = (visitor: Visitor, reader: Reader) =>
  new VisitorSession(visitor, header(reader, 'x-parley-session-id')!, header(reader, tokenHeader)!);

/** What a streamed request is answered with when it is refused. */
const refused = (visitor: Visitor, path: string, body: unknown, headers = {}): Promise<Answer> =>
  visitor.post(path, body, { accept: 'application/x-ndjson', ...headers });

test('a create is answered with the stream of its turn, under the headers of both', async () => {
  const { visitor } = await service.agent(echo);
  const reader = await visitor.stream('', { message: 'one' });
  expect(reader.response.status).toBe(202);
  expect(header(reader, 'content-type')).toBe('application/x-ndjson; charset=utf-8');
  expect(header(reader, 'cache-control')).toBe('no-store, no-transform');
  expect(header(reader, 'x-accel-buffering')).toBe('no');
  expect(header(reader, 'x-parley-stream-format')).toBe('ndjson');
  expect(header(reader, 'x-parley-stream-version')).toBe('21');
  expect(header(reader, tailHeader)).toBe('-1');
  const session = sessionOf(visitor, reader);
  const events = await reader.boundaries(1);
  expect(typesOf(events)).toEqual([
    'session.started',
    'turn.started',
    'message.received',
    'step.started',
    'message.appended',
    'message.completed',
    'step.completed',
    'turn.completed',
    'session.waiting',
  ]);
  expect(dataOf(events, 'session.waiting')[0]?.continuationToken).toBe(session.token);

  await session.send({ message: 'two' });
  await reader.boundaries(2);
  expect(said(reader.events)).toEqual(['one', 'two']);
  expect(reader.events).toEqual(await followed(session, '', 2));
  reader.close();
});

/** What the ordinary stream says up to so many boundaries. */
async function followed(session: VisitorSession, query: string, boundaries: number) {
  const reader = await session.follow(query);
  const events = await reader.boundaries(boundaries);
  reader.close();
  return events;
}

test('a follow-up is answered with the stream from its turn on', async () => {
  const { visitor } = await service.agent(echo);
  const session = await visitor.start('one');
  const before = await session.log(1);
  const reader = await session.stream({ message: 'two' });
  expect(reader.response.status).toBe(200);
  expect(header(reader, 'x-parley-session-id')).toBe(session.id);
  expect(header(reader, tailHeader)).toBe(String(before.length - 1));
  expect(header(reader, tokenHeader)).toBe(null);
  const events = await reader.boundaries(1);
  expect(events[0]?.type).toBe('turn.started');
  expect(said(events)).toEqual(['two']);
  expect(events).toEqual(await followed(session, `?startIndex=${before.length}`, 1));
  reader.close();
});

test('the stream is the ordinary one: start index, cumulative text, and where it is resumed', async () => {
  const { visitor } = await service.agent(echo);
  const session = await visitor.start('one');
  const before = await session.log(1);
  const reader = await session.stream({ message: 'two' }, {}, '?startIndex=3&soFar=0');
  expect(header(reader, tailHeader)).toBe(String(before.length - 1));
  await reader.boundaries(2);
  reader.close();
  expect(reader.text).not.toContain('SoFar');
  const ordinary = await session.follow('?startIndex=3&soFar=0');
  await ordinary.boundaries(2);
  expect(linesOf(reader.text)).toEqual(linesOf(ordinary.text));
  ordinary.close();

  const last = await session.stream({ message: 'three' }, {}, '?startIndex=-1');
  await last.boundaries(2);
  expect(last.events[0]).toMatchObject({ type: 'session.waiting' });
  expect(last.text).toContain('messageSoFar');
  last.close();
});

test('a follow-up during a turn streams what is left of that, then its own turn', async () => {
  const { visitor } = await service.agent(held);
  const session = await visitor.start('slow');
  const first = await session.follow();
  await first.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  const reader = await session.stream({ message: 'two' });
  await session.cancel();
  await reader.boundaries(2);
  const from = Number(header(reader, tailHeader)) + 1;
  expect(dataOf(reader.events, 'message.received').map(({ message }) => message)).toEqual(['two']);
  expect(reader.events).toEqual(await followed(session, `?startIndex=${from}`, 2));
  first.close();
  reader.close();
});

test('answers to a question are a follow-up like any other', async () => {
  const { visitor } = await service.agent([
    { steps: [{ ask: { prompt: 'Which?', options: [{ id: 'a', label: 'A' }] } }, { say: 'Fine.' }] },
  ]);
  const asking = await visitor.stream('', { message: 'go' });
  const [asked] = dataOf(await asking.boundaries(1), 'input.requested');
  const session = sessionOf(visitor, asking);
  const { requestId } = asked!.requests[0]!;
  const reader = await session.stream({ inputResponses: [{ requestId, optionId: 'a' }] });
  expect(said(await reader.boundaries(1))).toEqual(['Fine.']);
  asking.close();
  reader.close();
});

test('a repeat starts nothing again and streams the same turn from the same event', async () => {
  const { visitor } = await service.agent(echo);
  const first = { 'idempotency-key': 'first-message-of-all' };
  const begun = await visitor.stream('', { message: 'one' }, first);
  await begun.boundaries(1);
  const session = sessionOf(visitor, begun);
  const second = { 'idempotency-key': 'second-message-of-all' };
  const followUp = await session.stream({ message: 'two' }, second);
  await followUp.boundaries(1);
  await session.send({ message: 'three' });

  const again = await visitor.stream('', { message: 'one' }, first);
  expect(again.response.status).toBe(202);
  expect(sessionOf(visitor, again)).toMatchObject({ id: session.id, token: session.token });
  await again.boundaries(3);
  expect(said(again.events)).toEqual(['one', 'two', 'three']);
  const repeat = await session.stream({ message: 'two' }, second);
  await repeat.boundaries(2);
  expect(said(repeat.events)).toEqual(['two', 'three']);
  expect(header(repeat, tailHeader)).toBe(header(followUp, tailHeader));

  const json = await visitor.post('', { message: 'one' }, first);
  expect(json).toMatchObject({
    status: 202,
    body: { ok: true, sessionId: session.id, continuationToken: session.token },
  });
  expect((await refused(visitor, '', { message: 'other' }, first)).status).toBe(409);
  for (const reader of [begun, followUp, again, repeat]) reader.close();
});

test('a repeat after the session’s end is its rest, and ends', async () => {
  const { visitor } = await service.agent(echo);
  const once = { 'idempotency-key': 'only-message-of-all' };
  const begun = await visitor.stream('', { message: 'one' }, once);
  await begun.boundaries(1);
  const session = sessionOf(visitor, begun);
  await session.control(`${session.id}/end`);
  expect((await begun.rest()).at(-1)?.type).toBe('session.completed');
  const again = await visitor.stream('', { message: 'one' }, once);
  expect(await again.rest()).toEqual(begun.events);
});

test.each([['application/json'], ['*/*'], ['application/x-ndjson;q=0.5, application/json']])(
  'Accept %s is answered in JSON',
  async (accept) => {
    const { visitor } = await service.agent(echo);
    const created = await visitor.post('?soFar=0', { message: 'one' }, { accept });
    expect(created).toMatchObject({ status: 202, body: { ok: true } });
    expect(created.headers.get(tokenHeader)).toBe(null);
    const { sessionId, continuationToken } = created.body;
    expect(
      await visitor.post(`/${sessionId}`, { continuationToken, message: 'two' }, { accept }),
    ).toMatchObject({
      status: 200,
      body: { ok: true, sessionId },
    });
  },
);

test('what is refused is refused with its problem, and nothing was accepted', async () => {
  const { visitor, agentId } = await service.agent(echo);
  const session = await visitor.start('one');
  const followUp = { continuationToken: session.token, message: 'two' };
  const cases: [string, unknown, number, string][] = [
    ['', {}, 400, 'BAD_REQUEST'],
    ['?startIndex=x', { message: 'x' }, 400, 'BAD_REQUEST'],
    [`/${session.id}?startIndex=1.5`, followUp, 400, 'BAD_REQUEST'],
    [`/${session.id}`, { ...followUp, continuationToken: 'parley:no' }, 404, 'SESSION_NOT_RESUMABLE'],
  ];
  for (const [path, body, status, code] of cases)
    expect(await refused(visitor, path, body), path).toMatchObject({ status, body: { ok: false, code } });
  const stranger = new Visitor(service.url, 'pk_live_nobody');
  expect(await refused(stranger, '', { message: 'x' })).toMatchObject({ status: 401 });
  await service.settings('PATCH', `/agents/${agentId}`, { active: false });
  expect(await refused(visitor, '', { message: 'x' })).toMatchObject({
    status: 404,
    body: { code: 'AGENT_INACTIVE' },
  });
  await service.settings('PATCH', `/agents/${agentId}`, { active: true });
  const log = await session.log(1);
  expect(dataOf(log, 'message.received')).toHaveLength(1);
});

for (const name of ['streamsPerAddress', 'streamsPerKey']) {
  test(`${name} refuses a streamed message, unless JSON will do`, async () => {
    const { visitor } = await service.agent(echo, { agent: { limits: { [name]: 1 } } });
    const open = await visitor.stream('', { message: 'one' });
    const session = sessionOf(visitor, open);
    const followUp = { continuationToken: session.token, message: 'two' };
    const strict = await refused(visitor, `/${session.id}`, followUp);
    expect(strict).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
    expect(strict.headers.get('retry-after')).toBe('5');
    expect((await refused(visitor, '', { message: 'other' })).status).toBe(429);
    const lenient = await visitor.post(`/${session.id}`, followUp, {
      accept: 'application/x-ndjson, application/json;q=0.9',
    });
    expect(lenient).toMatchObject({ status: 200, body: { ok: true } });
    expect(lenient.headers.get('content-type')).toContain('application/json');
    await open.boundaries(2);
    expect(said(open.events)).toEqual(['one', 'two']);
    open.close();
    const streamed = async () => {
      const reader = await session.stream({ message: 'three' });
      reader.close();
      return reader.response.status;
    };
    await expect.poll(streamed).toBe(200);
  });
}

test('a streamed create and its repeats count among the streams of their session', async () => {
  const { visitor } = await service.agent(echo, { agent: { limits: { streamsPerSession: 2 } } });
  const once = { 'idempotency-key': 'only-message-of-all' };
  const open = [
    await visitor.stream('', { message: 'one' }, once),
    await visitor.stream('', { message: 'one' }, once),
  ];
  expect(open.map(({ response }) => response.status)).toEqual([202, 202]);
  const session = sessionOf(visitor, open[0]!);
  expect((await refused(visitor, '', { message: 'one' }, once)).status).toBe(429);
  expect((await session.follow()).response.status).toBe(429);
  expect(
    (await refused(visitor, `/${session.id}`, { continuationToken: session.token, message: 'two' })).status,
  ).toBe(429);
  for (const reader of open) reader.close();
});

test('a publishable key is not shown what tools are given and answer; a secret key is', async () => {
  const secretive = [{ steps: [{ call: 'look', input: { name: 'hidden' } }, { say: 'Done.' }] }];
  const agent = await service.agent(secretive, { tools: [{ name: 'look', visibility: 'status' }] });
  const visitor = await agent.visitor.stream('', { message: 'go' });
  const server = await new Visitor(service.url, agent.secret.key).stream('', { message: 'go' });
  for (const reader of [visitor, server]) await reader.boundaries(1);
  expect(visitor.text).toContain('actions.requested');
  expect(visitor.text).not.toContain('hidden');
  expect(server.text).toContain('hidden');
  visitor.close();
  server.close();
});

test('a revoked key and a takeover end the stream', async () => {
  const agent = await service.agent(echo, { agent: { identity: { secret: identitySecret } } });
  const takenOver = await agent.visitor.stream('', { message: 'one' });
  await takenOver.boundaries(1);
  const session = sessionOf(agent.visitor, takenOver);
  const ada = await as(agent.agentId, 'ada');
  const own = await session.stream({ message: 'private' }, ada);
  await takenOver.rest();
  expect(takenOver.text).not.toContain('private');
  await own.boundaries(1);
  expect(said(own.events)).toEqual(['private']);
  await service.settings('DELETE', `/keys/${agent.publishable.id}`);
  await own.rest();
});

test('a visitor token ends the stream with it, and one that has expired gets none', async () => {
  const agent = await service.agent(echo, { agent: { identity: { secret: identitySecret } } });
  const short = { [visitorTokenHeader]: await visitorToken(agent.agentId, { expiresIn: 3 }) };
  const reader = await agent.visitor.stream('', { message: 'one' }, short);
  await reader.rest();
  expect(reader.events.at(-1)?.type).toBe('session.waiting');
  expect(await refused(agent.visitor, '', { message: 'two' }, short)).toMatchObject({
    status: 401,
    body: { code: 'VISITOR_TOKEN_INVALID' },
  });
  // Without the stream there is leeway for a clock that is a little off.
  expect((await agent.visitor.post('', { message: 'two' }, short)).status).toBe(202);
});

test('a page may read the headers', async () => {
  const { visitor } = await service.agent(echo);
  const reader = await visitor.stream('', { message: 'one' }, { origin: service.url });
  const exposed = header(reader, 'access-control-expose-headers')?.split(', ');
  expect(exposed).toEqual(expect.arrayContaining(['x-parley-session-id', tokenHeader, tailHeader]));
  reader.close();
});

test('the message is answered though whoever sent it leaves', async () => {
  const { visitor } = await service.agent(echo);
  const reader = await visitor.stream('', { message: 'one' });
  reader.close();
  expect(said(await sessionOf(visitor, reader).log(1))).toEqual(['one']);
});
