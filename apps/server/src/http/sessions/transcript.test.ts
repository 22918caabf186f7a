import { once } from 'node:events';
import { connect } from 'node:net';
import { sessionEventSchema } from '@parley/protocol/event';
import { transcriptSchema } from '@parley/protocol/session-responses';
import { beforeAll, expect, test } from 'vitest';
import { type Answer, provision, request, testService } from '../../testing/test-service.ts';
import {
  type SharedService,
  type TestAgent,
  Visitor,
  type VisitorSession,
  asked,
  linesOf,
  sharedService,
} from '../../testing/visitor.ts';
import { longReply } from '../../testing/long-reply.ts';

const script = [
  { when: 'look', steps: [{ call: 'look', input: { name: 'the-argument' } }, { say: 'Found it.' }] },
  { when: 'erase', steps: [{ call: 'erase', input: { name: 'Ada' } }, { say: 'Erased.' }] },
  {
    when: 'colour',
    steps: [
      { ask: { prompt: 'Which colour?', options: [{ id: 'red', label: 'Crimson' }] } },
      { say: 'You chose {{result}}.' },
    ],
  },
  { when: 'slow', steps: [{ say: 'word ', repeat: 3_000, delayMs: 20 }] },
  { when: 'fail', steps: [{ fail: 'boom' }] },
  { steps: [{ say: 'Heard: {{input}}' }] },
];

let service: SharedService;
let agent: TestAgent;
beforeAll(async () => {
  service = await sharedService();
  agent = await service.agent(script, {
    agent: { name: 'Ada' },
    tools: [
      { name: 'look', visibility: 'status' },
      { name: 'erase', approval: 'always' },
    ],
  });
});

const transcript = (id: string, query = '', visitor: Visitor = agent.visitor): Promise<Answer> =>
  request(`${visitor.base}/${id}/transcript${query}`, { headers: visitor.headers });

/** The text with every time in it replaced. */
const textOf = async (session: VisitorSession) =>
  String((await transcript(session.id)).body).replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME');

test('the text reads as a conversation, with names, times, questions, answers and tools', async () => {
  const session = await agent.visitor.start('Good\nmorning');
  await session.log(1);
  await session.send({ message: 'colour' });
  await session.send({
    inputResponses: [{ requestId: asked(await session.log(2))[0]?.requestId, optionId: 'red' }],
  });
  await session.log(3);
  await session.send({ message: 'erase' });
  await session.send({
    inputResponses: [{ requestId: asked(await session.log(4))[1]?.requestId, optionId: 'deny' }],
  });
  await session.log(5);
  expect(await textOf(session)).toBe(
    `Conversation with Ada
Begun TIME

[TIME] Visitor:
    Good
    morning

[TIME] Ada:
    Heard: Good
    morning

[TIME] Visitor:
    colour

[TIME] Ada asked:
    Which colour?
    - Crimson

[TIME] Visitor answered:
    Crimson

[TIME] Ada:
    You chose red.

[TIME] Visitor:
    erase

[TIME] Ada asked:
    Approve tool call: erase
    {"name":"Ada"}
    - Yes
    - No

[TIME] Visitor answered:
    No

[TIME] Ada used erase: rejected (Tool execution was denied.)

[TIME] Ada:
    Erased.
`,
  );
});

test('what was cut off is there as far as it came, and says so', async () => {
  const session = await agent.visitor.start('slow');
  const stream = await session.follow();
  await stream.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  await session.cancel();
  await stream.boundaries(1);
  stream.close();
  await session.send({ message: 'fail' });
  await session.log(2);
  const text = await textOf(session);
  expect(text).toMatch(/Ada \(unfinished\):\n {4}word/);
  expect(text).toContain('The answer was stopped.');
  expect(text).toMatch(/There was no answer: \S/);
  expect(text).not.toContain('boom');
});

test('nobody can write a line of the transcript into a message', async () => {
  const forged = ['\n[2026-01-01 00:00:00 UTC] Ada:', '\u2028[2026] Ada:', '\r[2026] Ada:', '\u0085[x'];
  const session = await agent.visitor.start(`Hi${forged.join('')} \u001b[2J \u202eabc`);
  await session.log(1);
  const text = String((await transcript(session.id)).body);
  const heads = text.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => line.startsWith('['));
  expect(heads.map((line) => line.replace(/\[.*\] /, ''))).toEqual(['Visitor:', 'Ada:']);
  // oxlint-disable-next-line no-control-regex -- these are what must not be there
  expect(text).not.toMatch(/[\u001b\u202e]/);
});

test('as NDJSON it is the log, one event a line', async () => {
  const session = await agent.visitor.start('look');
  const events = await session.log(1);
  const answer = await transcript(session.id, '?format=ndjson');
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const exported = linesOf(answer.body).map((line) => sessionEventSchema.parse(JSON.parse(line)));
  expect(exported.map(({ meta }) => meta.id)).toEqual(events.map(({ meta }) => meta.id));
});

test('as JSON it is one document', async () => {
  const session = await agent.visitor.start('Hello');
  const events = await session.log(1);
  const { body } = await transcript(session.id, '?format=json');
  expect(transcriptSchema.parse(body)).toMatchObject({ agentName: 'Ada', status: 'open' });
  expect(body.events).toHaveLength(events.length);
});

test('more than a page of the log is all there', async () => {
  const session = await agent.visitor.start('0');
  for (let n = 1; n <= 120; n += 1) {
    await session.send({ message: `${n}` });
    if (n % 8 === 0) await session.log(n + 1);
  }
  const events = await session.log(121);
  expect(events.length).toBeGreaterThan(500);
  expect((await transcript(session.id, '?format=json')).body.events).toHaveLength(events.length);
  expect(linesOf((await transcript(session.id, '?format=ndjson')).body)).toHaveLength(events.length);
});

test('it is a file, named after nothing that opens the session, and holds no key to it', async () => {
  const session = await agent.visitor.start('look');
  await session.log(1);
  await session.control('clear');
  await session.log(2);
  for (const [format, extension] of [
    ['text', 'txt'],
    ['json', 'json'],
    ['ndjson', 'ndjson'],
  ]) {
    const answer = await transcript(session.id, `?format=${format}`);
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="conversation-\\d{4}-\\d\\d-\\d\\d\\.${extension}"$`),
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const text = JSON.stringify(answer.body);
    expect(text).not.toContain(session.id);
    expect(text).not.toContain(session.token);
  }
  expect((await transcript(session.id, '?format=html')).status).toBe(400);
});

test('a page reads of a tool what it sees in the stream, the server everything', async () => {
  const session = await agent.visitor.start('look');
  await session.log(1);
  const server = new Visitor(service.url, agent.secret.key);
  for (const format of ['text', 'json', 'ndjson']) {
    const shown = JSON.stringify((await transcript(session.id, `?format=${format}`)).body);
    expect(shown).toContain('look');
    expect(shown).not.toContain('the-argument');
  }
  const full = await transcript(session.id, '?format=ndjson', server);
  expect(full.body).toContain('the-argument');
});

test('another tenant’s session has no transcript, and neither has one that does not exist', async () => {
  const other = await service.agent(script);
  const { id } = await other.visitor.start('Hello');
  const [foreign, unknown] = [await transcript(id), await transcript(`ses_${'0'.repeat(32)}`)];
  expect(foreign).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
});

test('a reader who goes away while it is being sent hurts nobody, and is no error in the log', async () => {
  const own = await testService();
  const { tenantId } = await provision(own);
  const model = { provider: 'scripted', script: [{ steps: longReply(40).script }] };
  const fields = { tenantId, name: 'A', model, maxSteps: 100, contextTokens: 100_000_000 };
  const { id: agentId } = (await own.settings('POST', '/agents', fields)).body;
  const request = { method: 'GET', url: 'http://127.0.0.1:9/' };
  const pause = {
    agentId,
    kind: 'http',
    name: 'pause',
    description: 'Pauses',
    parameters: { type: 'object' },
    request,
  };
  await own.settings('POST', '/tools', pause);
  const key = (await own.settings('POST', '/keys', { tenantId, agentId, kind: 'publishable' })).body.key;
  const visitor = new Visitor(own.url, key);
  const session = await visitor.start('Hello');
  await session.log(1);
  const { port } = new URL(own.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `GET /parley/v1/session/${session.id}/transcript?format=ndjson HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
  await once(socket, 'data');
  socket.destroy();
  const aborted = () =>
    own.log.find((line) => line.includes('/transcript') && line.includes('"complete":false'));
  await expect.poll(aborted).toBeDefined();
  expect(aborted()).toContain('"status":200');
  expect((await transcript(session.id, '', visitor)).status).toBe(200);
  expect(own.log.filter((line) => line.includes('The request failed'))).toEqual([]);
});
