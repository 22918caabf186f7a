import { beforeAll, expect, test } from 'vitest';
import { type Answer, request } from '../../testing/test-service.ts';
import {
  type SharedService,
  type TestAgent,
  Visitor,
  asked,
  dataOf,
  said,
  sharedService,
  typesOf,
} from '../../testing/visitor.ts';

const echo = [{ steps: [{ say: '{{input}}' }] }];
const slow = [
  { when: 'slow', steps: [{ say: 'word ', repeat: 3_000, delayMs: 20 }] },
  { steps: [{ say: '{{input}}' }] },
];

let service: SharedService;
let agent: TestAgent;
let visitor: Visitor;
beforeAll(async () => {
  service = await sharedService();
  agent = await service.agent(echo, { agent: { outputSchemaForVisitors: true } });
  visitor = agent.visitor;
});

function refused(answer: Answer, status: number, code: string, error?: string): void {
  expect(answer).toMatchObject({ status, body: { ok: false, code, requestId: expect.any(String) } });
  if (error !== undefined) expect(answer.body.error).toBe(error);
}

const gone = { status: 404, code: 'SESSION_NOT_RESUMABLE' } as const;
const goneText = 'Session is not active and cannot be resumed.';
const emptyMessage = "Missing or empty 'message' field.";
const messageType = "Expected 'message' to be a string or an array of text/file parts.";
const dataType = "File parts require a 'data' string (base64, data URL, or URL).";
const contextType = "Expected 'clientContext' to be a string, string array, or JSON object.";
const schemaType = "Expected 'outputSchema' to be a JSON-serializable object.";

test('create answers 202 with token and id, in body and header', async () => {
  const answer = await visitor.post('', { message: 'hi' });
  const { sessionId, continuationToken } = answer.body;
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({ ok: true, sessionId, continuationToken });
  expect(sessionId).toMatch(/^\S{20,}$/);
  expect(continuationToken).toMatch(/^parley:/);
  expect(answer.headers.get('x-parley-session-id')).toBe(sessionId);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
});

test('a follow-up answers 200 without a token', async () => {
  const session = await visitor.start('hi');
  const answer = await session.send({ message: 'there' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ ok: true, sessionId: session.id });
  expect(answer.headers.get('x-parley-session-id')).toBe(session.id);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('the content type is not looked at', async () => {
  const answer = await visitor.post('', { message: 'hi' }, { 'content-type': 'text/plain' });
  expect(answer.status).toBe(202);
});

test('health needs no key', async () => {
  const answer = await request(`${service.url}/parley/v1/health`);
  expect(answer).toMatchObject({ status: 200, body: { ok: true, status: 'ready' } });
});

test.each<[string, unknown, string]>([
  ['nothing', '', 'Invalid JSON body.'],
  ['no JSON', '{', 'Invalid JSON body.'],
  ['null', 'null', 'Expected a JSON object.'],
  ['a number', '7', 'Expected a JSON object.'],
  ['a list', [], emptyMessage],
  ['no message', {}, emptyMessage],
  ['an empty message', { message: '' }, emptyMessage],
  ['no parts', { message: [] }, emptyMessage],
  ['null as message', { message: null }, messageType],
  ['a number as message', { message: 1 }, messageType],
  ['an object as message', { message: {} }, messageType],
  ['a text as part', { message: ['x'] }, 'Expected each message part to be an object.'],
  [
    'a part of another type',
    { message: [{ type: 'image' }] },
    `Unsupported message part type "image". Use 'text' or 'file'.`,
  ],
  [
    'a text part without text',
    { message: [{ type: 'text', text: '' }] },
    "Text parts require a non-empty 'text' string.",
  ],
  [
    'a file part without media type',
    { message: [{ type: 'file', data: 'aGk=' }] },
    "File parts require a non-empty 'mediaType' string.",
  ],
  ['a file part without data', { message: [{ type: 'file', mediaType: 'a/b' }] }, dataType],
  ['a file part of nonsense', { message: [{ type: 'file', mediaType: 'a/b', data: '#' }] }, dataType],
  [
    'a file part of an internal reference',
    { message: [{ type: 'file', mediaType: 'a/b', data: 'eve-url:x' }] },
    "File part 'data' must not use a framework-internal ref scheme.",
  ],
  ['a number as context', { message: 'x', clientContext: 1 }, contextType],
  [
    'an empty context entry',
    { message: 'x', clientContext: [''] },
    "Expected 'clientContext' array entries to be non-empty strings.",
  ],
  ['a list as output schema', { message: 'x', outputSchema: [] }, schemaType],
  [
    'an output schema that cannot be checked',
    { message: 'x', outputSchema: { type: 'of a kind' } },
    "Expected 'outputSchema' to be a JSON Schema that can be checked: type must be one of string, number, integer, boolean, null, object, array, or a list of them.",
  ],
  ['null as output schema', { message: 'x', outputSchema: null }, schemaType],
  ['another mode', { message: 'x', mode: 'chat' }, "Expected 'mode' to be either 'conversation' or 'task'."],
  [
    'another capability',
    { message: 'x', capabilities: { fly: true } },
    "Expected 'capabilities.requestInput' to be a boolean when provided.",
  ],
])('create with %s is 400', async (_what, body, error) => {
  refused(await visitor.post('', body), 400, 'BAD_REQUEST', error);
});

test('a visitor brings an output schema only where the agent allows it; a secret key always may', async () => {
  const body = { message: 'x', outputSchema: { type: 'object' } };
  const own = await service.agent([{ steps: [{ say: '{}' }] }]);
  const setting =
    "This agent takes an 'outputSchema' from secret keys only. Turn on its setting outputSchemaForVisitors.";
  refused(await own.visitor.post('', body), 403, 'FORBIDDEN', setting);
  const open = await own.visitor.start('hi');
  refused(await open.send(body), 403, 'FORBIDDEN', setting);
  const session = await new Visitor(service.url, own.secret.key).start('x', {
    outputSchema: body.outputSchema,
  });
  expect(dataOf(await session.log(1), 'result.completed')).toMatchObject([{ result: {} }]);
});

const missingToken = "Missing or empty 'continuationToken' field.";
const noResponses = "Expected 'inputResponses' to be a non-empty array.";
const badResponse = "Expected every 'inputResponses' entry to match the HITL response schema.";

test.each<[string, Record<string, unknown>, string]>([
  ['no token, before anything else', { continuationToken: undefined, message: 1 }, missingToken],
  ['an empty token', { continuationToken: '' }, missingToken],
  ['nothing to say', {}, "Expected a non-empty 'message', a non-empty 'inputResponses' array, or both."],
  ['no responses, beside a message', { message: 'x', inputResponses: [] }, noResponses],
  ['responses that are no list', { inputResponses: {} }, noResponses],
  ['a response without request', { inputResponses: [{ optionId: 'a' }] }, badResponse],
  ['a response with another key', { inputResponses: [{ requestId: 'a', by: 'me' }] }, badResponse],
  ['a response with null', { inputResponses: [{ requestId: 'a', text: null }] }, badResponse],
  ['a wrong message', { message: null }, messageType],
  ['a wrong context', { message: 'x', clientContext: true }, contextType],
])('a follow-up with %s is 400', async (_what, body, error) => {
  const session = await visitor.start('hi');
  refused(await session.send(body), 400, 'BAD_REQUEST', error);
});

test('what create does not know is ignored', async () => {
  const first = await visitor.start('hi');
  const answer = await visitor.post('', {
    message: ' ',
    continuationToken: first.token,
    inputResponses: [],
    forwardedPrincipal: {},
    callback: 1,
    mode: 'conversation',
  });
  expect(answer.status).toBe(202);
  expect(answer.body.sessionId).not.toBe(first.id);
});

test('a text has at most 20,000 code points', async () => {
  const session = await visitor.start('😀'.repeat(20_000));
  expect(dataOf(await session.log(1), 'message.received')[0]?.message).toHaveLength(40_000);
  refused(await visitor.post('', { message: '😀'.repeat(20_001) }), 400, 'BAD_REQUEST');
  refused(await session.send({ message: 'x'.repeat(20_001) }), 400, 'BAD_REQUEST');
  const parts = [{ type: 'text', text: 'x'.repeat(10_001) }];
  refused(await visitor.post('', { message: [...parts, ...parts] }), 400, 'BAD_REQUEST');
});

test('U+0000 is refused, a lone surrogate replaced', async () => {
  refused(await visitor.post('', { message: 'a\0b' }), 400, 'BAD_REQUEST');
  const session = await visitor.start('a\ud800b');
  expect(dataOf(await session.log(1), 'message.received')[0]?.message).toBe('a\ufffdb');
});

test('the key comes first, then the path, then the body', async () => {
  const stranger = new Visitor(service.url, 'pk_live_none');
  const unauthorized = await stranger.post('', '{');
  refused(unauthorized, 401, 'UNAUTHORIZED');
  expect(unauthorized.headers.get('www-authenticate')).toBe('Bearer');
  refused(await stranger.post('/ses_x/cancel', '{'), 401, 'UNAUTHORIZED');
  expect((await stranger.follow('ses_x')).response.status).toBe(401);
});

test('the secret key may do the same', async () => {
  const session = await new Visitor(service.url, agent.secret.key).start('hi');
  expect(said(await session.log(1))).toEqual(['hi']);
});

test('forged, foreign, malformed and mismatched ids and tokens get one and the same 404', async () => {
  const own = await visitor.start('hi');
  const other = await visitor.start('hi');
  const foreign = await (await service.agent(echo)).visitor.start('hi');
  const { tenantId } = agent;
  const model = { provider: 'scripted', script: echo };
  const sibling = (await service.settings('POST', '/agents', { tenantId, name: 'B', model })).body;
  const key = { tenantId, agentId: sibling.id, kind: 'publishable' };
  const siblingKey = (await service.settings('POST', '/keys', key)).body.key;
  const ofSibling = await new Visitor(service.url, siblingKey).start('hi');

  const forged = own.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const attempts: [string, string][] = [
    [own.id, forged],
    [own.id, 'nonsense'],
    [own.id, `${own.token} `],
    [own.id, other.token],
    [other.id, own.token],
    ['ses_00000000000000000000000000000000', own.token],
    [foreign.id, foreign.token],
    [own.id, foreign.token],
    [ofSibling.id, ofSibling.token],
    ['%F0%9F%98%80', own.token],
  ];
  const bodies = new Set<string>();
  for (const [id, continuationToken] of attempts) {
    const answer = await visitor.post(`/${id}`, { continuationToken, message: 'canary' });
    refused(answer, gone.status, gone.code, goneText);
    const { requestId: _, ...body } = answer.body;
    bodies.add(JSON.stringify(body));
    refused(await visitor.post(`/${id}/end`, { continuationToken }), gone.status, gone.code);
  }
  expect(bodies.size).toBe(1);
  for (const session of [own, other, foreign, ofSibling])
    expect(JSON.stringify(await session.log(1))).not.toContain('canary');
});

test('streams of unknown and foreign sessions are the identical 404', async () => {
  const foreign = await (await service.agent(echo)).visitor.start('hi');
  const answers = await Promise.all(
    [foreign.id, 'ses_00000000000000000000000000000000', 'x', '%F0%9F%98%80'].map((id) =>
      request(`${visitor.base}/${id}/stream`, { headers: visitor.headers }),
    ),
  );
  for (const answer of answers) refused(answer, 404, 'SESSION_NOT_FOUND', 'Session not found.');
});

test('controls of foreign and unknown sessions have no effect and say so as for nothing', async () => {
  const foreign = await (await service.agent(slow)).visitor.start('slow');
  const reader = await foreign.follow();
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  for (const control of ['clear', 'compact', 'reset']) {
    const answer = await visitor.post(`/${control}`, { continuationToken: foreign.token });
    expect(answer).toMatchObject({ status: 200, body: { ok: true, status: 'no_active_session' } });
    const unknown = await visitor.post(`/${control}`, { continuationToken: 'x' });
    expect([unknown.status, unknown.body]).toEqual([answer.status, answer.body]);
  }
  const cancelled = await visitor.post(`/${foreign.id}/cancel`, '');
  expect(cancelled).toMatchObject({
    status: 202,
    body: { ok: true, sessionId: foreign.id, status: 'no_active_turn' },
  });
  const count = reader.events.length;
  await reader.until(({ events }) => events.length > count);
  expect(typesOf(reader.events).at(-1)).toBe('message.appended');
  reader.close();
  await foreign.control('reset');
});

test.each<[string, string, string]>([
  ['no JSON', '{', 'Invalid JSON body.'],
  ['a list', '[]', 'Expected a JSON object.'],
  ['null', 'null', 'Expected a JSON object.'],
  ['no token', '{}', "Expected 'continuationToken' to be a non-empty string."],
  ['an empty token', '{"continuationToken":""}', "Expected 'continuationToken' to be a non-empty string."],
])('clear, compact, reset and end with %s are 400', async (_what, body, error) => {
  for (const path of ['/clear', '/compact', '/reset', '/ses_x/end'])
    refused(await visitor.post(path, body), 400, 'BAD_REQUEST', error);
});

test.each<[string, string, string]>([
  ['no JSON', '{', 'Invalid JSON body.'],
  ['a list', '[]', 'Expected a JSON object.'],
  ['null', 'null', 'Expected a JSON object.'],
  ['an empty turn', '{"turnId":""}', "Expected 'turnId' to be a non-empty string."],
])('cancel with %s is 400', async (_what, body, error) => {
  refused(await visitor.post('/ses_x/cancel', body), 400, 'BAD_REQUEST', error);
});

test('cancelling what does not run is accepted and changes nothing', async () => {
  const session = await visitor.start('one');
  const before = await session.log(1);
  for (const body of ['', ' \n', {}, { turnId: 'turn_0' }, { turnId: 'turn_7' }]) {
    const answer = await session.cancel(body);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ ok: true, sessionId: session.id, status: 'accepted' });
    expect(answer.headers.get('x-parley-session-id')).toBe(session.id);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  await session.send({ message: 'two' });
  const events = await session.log(2);
  expect(events.slice(0, before.length)).toEqual(before);
  expect(said(events)).toEqual(['one', 'two']);
});

test('cancelling another turn than the running one has no effect', async () => {
  const session = await (await service.agent(slow)).visitor.start('slow');
  const reader = await session.follow('?soFar=0');
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  expect((await session.cancel({ turnId: 'turn_1' })).body.status).toBe('accepted');
  const count = reader.events.length;
  await reader.until(({ events }) => events.length > count);
  expect(reader.events.at(-1)?.type).toBe('message.appended');
  expect((await session.cancel({ turnId: 'turn_0' })).body.status).toBe('accepted');
  const events = await reader.boundaries(1);
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['turn.cancelled', 'session.waiting']);
  reader.close();
});

test('a pending approval outlives a cancel', async () => {
  const gated = await service.agent(
    [{ steps: [{ call: 'erase', input: { name: 'a' } }, { say: 'Done.' }] }],
    {
      tools: [{ name: 'erase', approval: 'always' }],
    },
  );
  const session = await gated.visitor.start('go');
  const [ask] = asked(await session.log(1));
  expect((await session.cancel()).body.status).toBe('accepted');
  await session.send({ inputResponses: [{ requestId: ask!.requestId, optionId: 'approve' }] });
  expect(said(await session.log(2))).toEqual(['Done.']);
});

test('cancelling an unknown or ended session is 202 no_active_turn', async () => {
  const session = await visitor.start('hi');
  await session.log(1);
  await session.control('reset');
  const answer = await session.cancel();
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({ ok: true, sessionId: session.id, status: 'no_active_turn' });
  const unknown = await visitor.post('/never/cancel', '');
  expect(unknown.body).toEqual({ ok: true, sessionId: 'never', status: 'no_active_turn' });
});

test('reset of an idle session writes nothing, and its token is dead', async () => {
  const session = await visitor.start('hi');
  const before = await session.log(1);
  const answer = await session.control('reset');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ ok: true, previousSessionId: session.id, status: 'reset' });
  refused(await session.send({ message: 'x' }), gone.status, gone.code);
  for (const control of ['reset', 'clear', 'compact']) {
    const again = await session.control(control);
    expect([again.status, again.body]).toEqual([200, { ok: true, status: 'no_active_session' }]);
  }
  const reader = await session.follow('?soFar=0&includeTailIndex=1');
  expect(reader.response.headers.get('x-parley-stream-tail-index')).toBe(String(before.length - 1));
  reader.close();
});

test('reset of a running session cancels its turn', async () => {
  const session = await (await service.agent(slow)).visitor.start('slow');
  const reader = await session.follow('?soFar=0');
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  expect((await session.control('reset')).body.status).toBe('reset');
  const events = await reader.boundaries(1);
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['turn.cancelled', 'session.waiting']);
  refused(await session.send({ message: 'x' }), gone.status, gone.code);
  reader.close();
});

test('end of a running session cancels its turn, completes it and ends its streams', async () => {
  const session = await (await service.agent(slow)).visitor.start('slow');
  const reader = await session.follow('?soFar=0');
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  await session.send({ message: 'never answered' });
  const answer = await session.control(`${session.id}/end`);
  expect(answer.body).toEqual({ ok: true, sessionId: session.id, status: 'completed' });
  const events = await reader.rest();
  expect(events.slice(-3).map(({ type }) => type)).toEqual([
    'turn.cancelled',
    'session.waiting',
    'session.completed',
  ]);
  refused(await session.send({ message: 'x' }), gone.status, gone.code);
  refused(await session.control(`${session.id}/end`), gone.status, gone.code);
});

test('follow-ups during a turn get a turn each, in the order of their acceptance', async () => {
  const session = await visitor.start('0');
  for (const message of ['1', '2', '3', '4']) expect((await session.send({ message })).status).toBe(200);
  const events = await session.log(5);
  expect(dataOf(events, 'message.received').map(({ message }) => message)).toEqual(['0', '1', '2', '3', '4']);
  expect(said(events)).toEqual(['0', '1', '2', '3', '4']);
  expect(dataOf(events, 'turn.completed').map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
});

test('what its sender calls a message comes back with it, also where an answer comes too late', async () => {
  const late = [{ requestId: 'req_0123456789', optionId: 'yes' }];
  const session = await visitor.start('0', { clientMessageId: 'the-first-message' });
  await session.send({ message: '1' });
  await session.send({ message: '2', clientMessageId: 'x'.repeat(64), inputResponses: late });
  const received = dataOf(await session.log(3), 'message.received');
  expect(received.map(({ clientMessageId }) => clientMessageId)).toEqual([
    'the-first-message',
    undefined,
    'x'.repeat(64),
  ]);
  expect(received[2]!.message).toBe('yes\n2');
});

test('ten messages wait; the next is 429 and leaves no trace', async () => {
  const session = await (await service.agent(slow)).visitor.start('slow');
  const reader = await session.follow('?soFar=0');
  await reader.until(({ events }) => events.some(({ type }) => type === 'turn.started'));
  const waiting = Array.from({ length: 10 }, (_, index) => `waiting ${index}`);
  for (const message of waiting) expect((await session.send({ message })).status).toBe(200);
  const full = await session.send({ message: 'too many' });
  refused(full, 429, 'QUEUE_FULL');
  expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0);
  refused(await session.control('clear'), 429, 'QUEUE_FULL');
  await session.cancel();
  const events = await reader.boundaries(11);
  expect(dataOf(events, 'message.received').map(({ message }) => message)).toEqual(['slow', ...waiting]);
  expect((await session.send({ message: 'now' })).status).toBe(200);
  reader.close();
});

test('Idempotency-Key on create: the same answer again, one session; another body is 409', async () => {
  const headers = { 'idempotency-key': 'create-1-of-this-test' };
  const first = await visitor.post('', { message: 'once' }, headers);
  const again = await visitor.post('', { message: 'once' }, headers);
  expect([again.status, again.body]).toEqual([202, first.body]);
  expect(again.headers.get('x-parley-session-id')).toBe(first.body.sessionId);
  refused(await visitor.post('', { message: 'other' }, headers), 409, 'IDEMPOTENCY_CONFLICT');
  const stranger = (await service.agent(echo)).visitor;
  expect((await stranger.post('', { message: 'other' }, headers)).status).toBe(202);
});

test.each([
  ['15 characters', 'x'.repeat(15), 400],
  ['16 characters', 'x'.repeat(16), 202],
  ['200 characters', 'x'.repeat(200), 202],
  ['201 characters', 'x'.repeat(201), 400],
  ['a blank', 'an idempotency key', 400],
  ['no ASCII', 'idempotency-k\u00e9y-1', 400],
])('an Idempotency-Key of %s is answered as it is allowed', async (_, key, status) => {
  const answer = await visitor.post('', { message: 'x' }, { 'idempotency-key': key });
  expect(answer.status).toBe(status);
  const error = 'Expected Idempotency-Key to be 16-200 visible ASCII characters.';
  if (status === 400) expect(answer.body.error).toBe(error);
});

test('hostile nesting in a field that nobody knows is refused', async () => {
  const body = `{"message":"x","more":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  const headers = {
    authorization: `Bearer ${agent.publishable.key}`,
    'idempotency-key': 'deep-in-this-test',
  };
  const send = (init: RequestInit) =>
    request(`${service.url}/parley/v1/session`, { method: 'POST', ...init });
  refused(await send({ headers, body }), 400, 'BAD_REQUEST');
  // Sent in chunks, it has no length of its own.
  const { 'idempotency-key': _, ...unrepeated } = headers;
  const chunks = new Blob([body]).stream();
  refused(
    await send({ headers: unrepeated, body: chunks, duplex: 'half' } as RequestInit),
    400,
    'BAD_REQUEST',
  );
});

test('Idempotency-Key on a follow-up: one turn, the answer again even when the session has ended', async () => {
  const session = await visitor.start('zero');
  const other = await visitor.start('zero');
  const headers = { 'idempotency-key': 'follow-1-of-this-test' };
  const [first, second] = await Promise.all([
    session.send({ message: 'once' }, headers),
    session.send({ message: 'once' }, headers),
  ]);
  expect([first.status, second.status]).toEqual([200, 200]);
  refused(await session.send({ message: 'other' }, headers), 409, 'IDEMPOTENCY_CONFLICT');
  expect((await other.send({ message: 'other' }, headers)).status).toBe(200);
  await session.send({ message: 'twice' });
  expect(said(await session.log(3))).toEqual(['zero', 'once', 'twice']);
  await session.control(`${session.id}/end`);
  expect((await session.send({ message: 'once' }, headers)).body).toEqual(first.body);
  refused(await session.send({ message: 'new' }), gone.status, gone.code);
});

test('a refused request is not remembered by its Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'refused-1-of-this-test' };
  refused(await visitor.post('', { message: '' }, headers), 400, 'BAD_REQUEST');
  expect((await visitor.post('', { message: 'x' }, headers)).status).toBe(202);
});

test.each([
  ['PUT', '', 'GET, HEAD, POST'],
  ['GET', '/clear', 'DELETE, POST'],
  ['PUT', '/ses_x/cancel', 'POST'],
  ['POST', '/ses_x/stream', 'GET, HEAD'],
])('%s %s is 405 with Allow', async (method, path, allow) => {
  const answer = await request(visitor.base + path, { method, headers: visitor.headers });
  refused(answer, 405, 'METHOD_NOT_ALLOWED');
  expect(answer.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(allow.split(', ')));
});

test('a session whose client cannot answer is neither asked nor given tools that need approval', async () => {
  const gated = await service.agent(
    [
      { when: 'erase', steps: [{ call: 'erase', input: { name: 'a' } }] },
      { steps: [{ ask: { prompt: 'Sure?' } }] },
    ],
    { tools: [{ name: 'erase', approval: 'always' }] },
  );
  const session = await gated.visitor.start('ask', { capabilities: { requestInput: false } });
  await session.send({ message: 'erase' });
  const events = await session.log(2);
  expect(said(events)).toEqual(['I cannot use ask_question here.', 'I cannot use erase here.']);
  expect(asked(events)).toEqual([]);
});

test('an inactive agent takes nothing new; its streams stay readable', async () => {
  const { visitor: own, agentId } = await service.agent(echo);
  const session = await own.start('hi');
  await session.log(1);
  await service.settings('PATCH', `/agents/${agentId}`, { active: false });
  refused(await own.post('', { message: 'x' }), 404, 'AGENT_INACTIVE');
  refused(await session.send({ message: 'x' }), 404, 'AGENT_INACTIVE');
  expect(said(await session.log(1))).toEqual(['hi']);
});

test('a key without agent is 403', async () => {
  const { visitor: own, publishable } = await service.agent(echo);
  const session = await own.start('hi');
  await service.settings('PATCH', `/keys/${publishable.id}`, { agentId: null });
  refused(await own.post('', { message: 'x' }), 403, 'NO_AGENT');
  refused(await session.cancel(), 403, 'NO_AGENT');
  expect((await session.follow()).response.status).toBe(403);
});

test('the settings of the moment a turn starts apply to it', async () => {
  const { visitor: own, agentId } = await service.agent(echo);
  const session = await own.start('hi');
  await session.log(1);
  const model = { provider: 'scripted', script: [{ steps: [{ say: 'changed' }] }] };
  await service.settings('PATCH', `/agents/${agentId}`, { model });
  await session.send({ message: 'hi' });
  expect(said(await session.log(2))).toEqual(['hi', 'changed']);
});

test('a turn has at most maxSteps model calls, the last without tools', async () => {
  const looping = await service.agent(
    [
      {
        steps: Array.from({ length: 5 }, (_, index) => ({
          call: 'look',
          input: { name: String(index) },
        })).flatMap((call) => [call, { say: 'on ' }]),
      },
    ],
    { agent: { maxSteps: 3 }, tools: [{ name: 'look' }] },
  );
  const events = await (await looping.visitor.start('go')).log(1);
  expect(dataOf(events, 'step.started')).toHaveLength(3);
  expect(dataOf(events, 'action.result')).toHaveLength(2);
  expect(said(events).at(-1)).toContain('I cannot use look here.');
});

test('what the log and the model hold of one result is bounded', async () => {
  const { visitor } = await service.agent(
    ['big', 'large'].map((name) => ({
      when: name,
      steps: [{ call: name, input: { name: 'x' } }, { say: '{{result}}' }],
    })),
    { tools: [{ name: 'big' }, { name: 'large' }] },
  );
  const turn = async (message: string) => {
    const events = await (await visitor.start(message)).log(1);
    return {
      output: String(dataOf(events, 'action.result')[0]?.result.output),
      reply: said(events)[0] ?? '',
    };
  };
  const { output } = await turn('big');
  expect(output.length).toBeLessThanOrEqual(200_000);
  expect(output).toMatch(/^x{199900}.*\n\[Cut here: the result has 600000 characters.\]$/);
  const { output: whole, reply } = await turn('large');
  expect(whole).toHaveLength(190_000);
  expect(reply.length).toBeLessThan(100_100);
  expect(reply).toMatch(/x{99}\n\[Cut here: the result has 190000 characters.\]$/);
});

test('a cancel right after a message was accepted cancels its turn', async () => {
  const { visitor: own } = await service.agent(slow);
  for (let round = 0; round < 10; round += 1) {
    const session = await own.start('slow');
    expect((await session.cancel()).body.status).toBe('accepted');
    await session.send({ message: 'next' });
    const events = await session.log(2);
    expect(typesOf(events)).toContain('turn.cancelled');
    expect(said(events)).toEqual(['next']);
  }
});

test('a reset or an end among messages that come at the same moment: the session is over', async () => {
  for (const control of ['reset', 'end']) {
    const session = await visitor.start('0');
    const [first, , second] = await Promise.all([
      session.send({ message: '1' }),
      session.control(control === 'end' ? `${session.id}/end` : 'reset'),
      session.send({ message: '2' }),
    ]);
    expect([200, 404]).toContain(first.status);
    expect([200, 404]).toContain(second.status);
    refused(await session.send({ message: '3' }), gone.status, gone.code);
    expect((await session.cancel()).body.status).toBe('no_active_turn');
  }
});
