import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { request } from '../../testing/test-service.ts';
import {
  type SharedService,
  Visitor,
  type VisitorSession,
  asked,
  dataOf,
  linesOf,
  said,
  sharedService,
  typesOf,
} from '../../testing/visitor.ts';

const echo = [{ steps: [{ say: '{{input}}' }] }];
const slow = [
  { when: 'slow', steps: [{ say: 'word ', repeat: 5_000, delayMs: 20 }] },
  { steps: [{ say: '{{input}}' }] },
];

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

async function twoTurns(): Promise<{ session: VisitorSession; lines: string[] }> {
  const { visitor } = await service.agent(echo);
  const session = await visitor.start('one');
  await session.send({ message: 'two' });
  const reader = await session.follow();
  await reader.boundaries(2);
  reader.close();
  return { session, lines: linesOf(reader.text) };
}

test('headers, and a first byte before any event', async () => {
  const { session } = await twoTurns();
  const reader = await session.follow('?startIndex=1000');
  await reader.until(({ text }) => text.length > 0);
  expect(reader.text).toBe('\n');
  const { headers, status } = reader.response;
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store, no-transform');
  expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  expect(headers.get('x-accel-buffering')).toBe('no');
  expect(headers.get('x-parley-session-id')).toBe(session.id);
  expect(headers.get('x-parley-stream-format')).toBe('ndjson');
  expect(headers.get('x-parley-stream-version')).toBe('21');
  expect(headers.get('x-parley-stream-tail-index')).toBe(null);
  reader.close();
});

test('startIndex: where the reader begins', async () => {
  const { session, lines } = await twoTurns();
  const tail = lines.length - 1;
  const cases: [string, number][] = [
    ['', 0],
    ['?startIndex=0', 0],
    ['?startIndex=-0', 0],
    ['?startIndex=3', 3],
    ['?startIndex=007', 7],
    [`?startIndex=${tail}`, tail],
    ['?startIndex=-1', tail],
    ['?startIndex=-4', tail - 3],
    [`?startIndex=-${lines.length}`, 0],
    ['?startIndex=-5000', 0],
    ['?startIndex=2&startIndex=5', 2],
  ];
  for (const [query, from] of cases) {
    const reader = await session.follow(query);
    const expected = lines.slice(from);
    await reader.until(({ text }) => linesOf(text).length >= expected.length);
    expect(linesOf(reader.text), query).toEqual(expected);
    reader.close();
  }
});

test('startIndex at and beyond the tail waits, and delivers exactly from that index', async () => {
  const { session, lines } = await twoTurns();
  const readers = await Promise.all(
    [0, 1, 3].flatMap((beyond) =>
      ['', '&soFar=0'].map(async (soFar) => ({
        from: lines.length + beyond,
        reader: await session.follow(`?startIndex=${lines.length + beyond}${soFar}`),
      })),
    ),
  );
  await session.send({ message: 'three' });
  const whole = await session.log(3);
  for (const { from, reader } of readers) {
    await reader.boundaries(1);
    expect(reader.events.map(({ meta }) => meta.id)).toEqual(whole.slice(from).map(({ meta }) => meta.id));
    reader.close();
  }
});

test.each(['', 'abc', '1.5', '1e3', '%2B1', '9007199254740992', '-9007199254740992', '1%20'])(
  'startIndex=%s is 400',
  async (value) => {
    const { session } = await twoTurns();
    const url = `${session.visitor.base}/${session.id}/stream?startIndex=${value}`;
    const answer = await request(url, { headers: session.visitor.headers });
    expect(answer).toMatchObject({
      status: 400,
      body: { ok: false, code: 'BAD_REQUEST', error: 'Expected startIndex to be an integer.' },
    });
  },
);

test('includeTailIndex names the last event; only 1 and true count', async () => {
  const { session, lines } = await twoTurns();
  for (const [value, expected] of [
    ['1', String(lines.length - 1)],
    ['true', String(lines.length - 1)],
    ['yes', null],
    ['0', null],
    ['', null],
  ] as const) {
    const reader = await session.follow(`?includeTailIndex=${value}`);
    expect(reader.response.headers.get('x-parley-stream-tail-index'), value).toBe(expected);
    reader.close();
  }
});

test('HEAD has the headers and no body', async () => {
  const { session, lines } = await twoTurns();
  const answer = await request(`${session.visitor.base}/${session.id}/stream?includeTailIndex=1`, {
    method: 'HEAD',
    headers: session.visitor.headers,
  });
  expect([answer.status, answer.body]).toEqual([200, '']);
  expect(answer.headers.get('x-parley-stream-tail-index')).toBe(String(lines.length - 1));
});

test('the response stays open at session.waiting and carries the next turn', async () => {
  const { visitor } = await service.agent(echo);
  const session = await visitor.start('one');
  const reader = await session.follow();
  await reader.boundaries(1);
  await session.send({ message: 'two' });
  await reader.boundaries(2);
  await session.control('clear');
  await reader.boundaries(3);
  expect(said(reader.events)).toEqual(['one', 'two']);
  reader.close();
});

test('a completed session replays and ends, also past its tail', async () => {
  const { visitor } = await service.agent(echo);
  const session = await visitor.start('one');
  const waiting = await session.follow('?soFar=0&startIndex=1000');
  const live = await session.follow('?soFar=0');
  await live.boundaries(1);
  await session.control(`${session.id}/end`);
  const events = await live.rest();
  expect(events.at(-1)?.type).toBe('session.completed');
  expect(await waiting.rest()).toEqual([]);
  expect(await (await session.follow('?soFar=0')).rest()).toEqual(events);
  expect(await (await session.follow(`?startIndex=${events.length - 1}`)).rest()).toEqual(events.slice(-1));
  expect(await (await session.follow(`?startIndex=${events.length}`)).rest()).toEqual([]);
  expect(await (await session.follow('?startIndex=5000')).rest()).toEqual([]);
});

test('two readers get identical bytes, live, from the log and from the middle', async () => {
  const { visitor } = await service.agent(
    [
      {
        steps: [
          { reason: 'Let me look.' },
          { say: 'One two three.', delayMs: 5 },
          { call: 'look', input: { name: 'x' } },
          { say: '{{result}} and more ', repeat: 20, delayMs: 5 },
        ],
      },
    ],
    { agent: { reasoning: { show: true } }, tools: [{ name: 'look' }] },
  );
  const session = await visitor.start('go');
  for (const query of ['', 'soFar=0']) {
    const live = await session.follow(`?${query}`);
    await live.boundaries(1);
    const lines = linesOf(live.text);
    live.close();
    for (let from = 0; from < lines.length; from += 1) {
      const later = await session.follow(`?startIndex=${from}&${query}`);
      await later.boundaries(1);
      expect(linesOf(later.text), `${query} from ${from}`).toEqual(lines.slice(from));
      later.close();
    }
  }
});

test('deltas carry the text so far, of their own block and step, unless the reader declines', async () => {
  const { visitor } = await service.agent(
    [
      {
        steps: [
          { reason: 'Thinking of it.', delayMs: 20 },
          { say: 'First I look.', delayMs: 20 },
          { call: 'look', input: { name: 'x' } },
          { say: 'Then I answer.', delayMs: 20 },
        ],
      },
    ],
    { agent: { reasoning: { show: true } }, tools: [{ name: 'look' }] },
  );
  const session = await visitor.start('go');
  const full = await session.follow();
  await full.boundaries(1);
  full.close();
  let message = '';
  let reasoning = '';
  for (const event of full.events) {
    if (event.type === 'step.started') message = reasoning = '';
    if (event.type === 'message.appended')
      expect(event.data.messageSoFar).toBe((message += event.data.messageDelta));
    if (event.type === 'reasoning.appended')
      expect(event.data.reasoningSoFar).toBe((reasoning += event.data.reasoningDelta));
  }
  expect(said(full.events)).toEqual(['First I look.', 'Then I answer.']);
  const lean = await session.log(1);
  expect(JSON.stringify(lean)).not.toContain('SoFar');
  expect(lean.map(({ meta }) => meta.id)).toEqual(full.events.map(({ meta }) => meta.id));
});

test('what a publishable key sees of a tool: name and state by default, everything when it is full', async () => {
  const steps = [
    { call: 'hidden', input: { name: 'canary-argument' } },
    { call: 'shown', input: { name: 'plain-argument' } },
    { call: 'broken', input: { name: 'canary-argument' } },
    { say: 'Done.' },
  ];
  const { visitor, secret } = await service.agent([{ steps }], {
    tools: [
      { name: 'hidden', visibility: 'status' },
      { name: 'shown', visibility: 'full' },
      { name: 'broken', visibility: 'status' },
    ],
  });
  const session = await visitor.start('go');
  const seen = await session.log(1);
  expect(JSON.stringify(seen)).not.toContain('canary');
  expect(dataOf(seen, 'actions.requested').flatMap(({ actions }) => actions)).toMatchObject([
    { toolName: 'hidden', input: {} },
    { toolName: 'shown', input: { name: 'plain-argument' } },
    { toolName: 'broken', input: {} },
  ]);
  const results = Object.fromEntries(
    dataOf(seen, 'action.result').map(({ status, result, error }) => [
      result.toolName,
      { status, output: result.output, ...(error && { error }) },
    ]),
  );
  expect(results).toEqual({
    hidden: { status: 'completed', output: null },
    shown: { status: 'completed', output: { done: '/shown/plain-argument' } },
    broken: {
      status: 'failed',
      output: null,
      error: { code: 'HTTP_STATUS', message: 'This step did not succeed.' },
    },
  });

  const reader = await new Visitor(service.url, secret.key).follow(session.id, '?soFar=0');
  const everything = await reader.boundaries(1);
  reader.close();
  expect(typesOf(everything)).toEqual(typesOf(seen));
  const outputs = dataOf(everything, 'action.result').map(({ result }) => JSON.stringify(result.output));
  expect(outputs.toSorted()).toEqual([
    expect.stringContaining('canary: out of order'),
    JSON.stringify({ done: '/hidden/canary-argument' }),
    JSON.stringify({ done: '/shown/plain-argument' }),
  ]);
});

test('an approval shows the exact arguments of a concealed tool', async () => {
  const { visitor } = await service.agent(
    [{ steps: [{ call: 'pay', input: { name: 'Ida', amount: 7 } }, { say: 'Paid.' }] }],
    { tools: [{ name: 'pay', approval: 'always', visibility: 'status' }] },
  );
  const session = await visitor.start('go');
  const events = await session.log(1);
  expect(asked(events)[0]?.action.input).toEqual({ name: 'Ida', amount: 7 });
  expect(dataOf(events, 'actions.requested')[0]?.actions[0]?.input).toEqual({});
});

test('a reader that leaves does not stop the turn', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: 'word ', repeat: 30, delayMs: 10 }] }]);
  const session = await visitor.start('go');
  const reader = await session.follow();
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  reader.close();
  expect(said(await session.log(1))).toEqual(['word '.repeat(30)]);
});

/** A stream whose reader takes nothing until told to. */
async function stalled(session: VisitorSession) {
  const { hostname, port } = new URL(session.visitor.base);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  socket.on('error', () => undefined);
  const path = `/parley/v1/session/${session.id}/stream?soFar=0`;
  const { authorization } = session.visitor.headers;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`);
  return socket;
}

/** About 13 MB of events: more than the buffers of two sockets. */
const flood = [
  {
    steps: Array.from({ length: 2 }, () => [
      ...Array.from({ length: 32 }, () => ({ call: 'large', input: { name: 'x' } })),
      { say: 'Flooded. ' },
    ]).flat(),
  },
];

test('a reader that stops reading catches up later without a gap', async () => {
  const { visitor } = await service.agent(flood, { tools: [{ name: 'large' }] });
  const session = await visitor.start('go');
  const socket = await stalled(session);
  const expected = await session.log(1);
  expect(dataOf(expected, 'action.result')).toHaveLength(64);

  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.resume();
  const last = expected.at(-1)!.meta.id;
  while (!Buffer.concat(chunks.slice(-2)).includes(last)) await once(socket, 'data');
  socket.destroy();
  const ids = [
    ...Buffer.concat(chunks)
      .toString('latin1')
      .matchAll(/"meta":\{"at":"[^"]+","id":"(evt_\w+)"/g),
  ].map(([, id]) => id);
  expect(ids).toEqual(expected.map(({ meta }) => meta.id));
});

test('a key revoked under a reader that does not read: its stream is cut, and the service goes on', async () => {
  const { visitor, publishable, agentId, tenantId } = await service.agent(
    [...flood.map((rule) => ({ when: 'flood', ...rule })), ...slow],
    { tools: [{ name: 'large' }] },
  );
  const session = await visitor.start('flood');
  const socket = await stalled(session);
  const patient = await session.follow();
  await patient.boundaries(1);
  await session.send({ message: 'slow' });
  await patient.until(({ events }) => events.at(-1)?.type === 'message.appended');
  await service.settings('DELETE', `/keys/${publishable.id}`);
  await patient.rest();
  const closed = once(socket, 'close');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.resume();
  await closed;
  expect(Buffer.concat(chunks).includes('"type":"session.waiting"')).toBe(false);

  const key = await service.settings('POST', '/keys', { tenantId, agentId, kind: 'publishable' });
  const again = new Visitor(service.url, key.body.key);
  const reader = await again.follow(session.id, '?startIndex=-1');
  const [last] = await reader.until(({ events }) => events.length > 0);
  await reader.until(({ events }) => events.length > 1);
  expect(last?.type).toBe('message.appended');
  reader.close();
  await again.post('/reset', { continuationToken: session.token });
});

test('a session may have so many streams at once', async () => {
  const { visitor } = await service.agent(echo, { agent: { limits: { streamsPerSession: 2 } } });
  const session = await visitor.start('one');
  const first = await session.follow();
  const second = await session.follow('?startIndex=2');
  const third = await session.follow();
  expect(third.response.status).toBe(429);
  expect(third.response.headers.get('retry-after')).toBe('5');
  first.close();
  second.close();
});
