import {
  maxArgumentBytes,
  maxCallsPerStep,
  maxEventBytes,
  maxPageOutputBytes,
  maxStepTextBytes,
} from '@parley/protocol/bounds';
import type { SessionEvent } from '@parley/protocol/event';
import { beforeAll, expect, test } from 'vitest';
import { type SharedService, asked, dataOf, said, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const expectBounded = (events: readonly SessionEvent[]) => {
  for (const event of events) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(maxEventBytes);
};

const hostile = ['call_1', 'call_1', '', '../../"\n;\u{1F600}', 'x'.repeat(5_000)];

test('whatever ids a provider gives its calls, none is given twice, and it reads its own history', async () => {
  const calls = hostile.map((id) => ({ call: { id, name: 'look', input: '{"name":"x"}' } }));
  const provider = service.endpoint.provider(...calls, { text: ['Done.'] }, calls[0]!, { text: ['Again.'] });
  const agent = await service.agent([], { agent: { model: provider.model }, tools: [{ name: 'look' }] });
  const before = service.endpoint.calls.length;
  const session = await agent.visitor.start('go');
  await session.log(1);
  await session.send({ message: 'again' });
  const events = await session.log(2);
  expect(said(events)).toEqual(['Done.', 'Again.']);

  const made = dataOf(events, 'actions.requested').flatMap(({ actions }) => actions);
  const ids = made.map(({ callId }) => callId);
  expect(new Set(ids).size).toBe(hostile.length + 1);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
  expect(dataOf(events, 'action.result').map(({ result }) => result.callId)).toEqual(ids);
  expect(new Set(dataOf(events, 'action.appended').map(({ callId }) => callId))).toEqual(new Set(ids));
  const sent = service.endpoint.calls.slice(before).filter(({ path }) => path.startsWith('/look'));
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(ids.length);

  const history = JSON.stringify(provider.prompts().at(-1)?.messages);
  expect(history).not.toContain('call_1');
  for (const id of ids) expect(history.split(`"${id}"`)).toHaveLength(3);
});

test('a step makes 32 calls at most; the model is told of the rest, which cost nothing', async () => {
  const looks = Array.from({ length: maxCallsPerStep + 1 }, (_, index) => ({
    call: 'look',
    input: { name: String(index) },
  }));
  const agent = await service.agent([{ steps: [...looks, { say: '{{result}}' }] }], {
    tools: [{ name: 'look' }],
  });
  const before = service.endpoint.calls.length;
  const events = await (await agent.visitor.start('go')).log(1);
  expect(service.endpoint.calls.length - before).toBe(maxCallsPerStep);
  expect(dataOf(events, 'actions.requested')).toHaveLength(maxCallsPerStep);
  expect(dataOf(events, 'action.result')).toHaveLength(maxCallsPerStep);
  expect(said(events)).toEqual([expect.stringMatching(/were not made: a step makes at most 32 calls/)]);
});

test('the arguments of a step have a bound together; a call beyond it is not made', async () => {
  const input = { name: 'x'.repeat(maxArgumentBytes / 2) };
  const agent = await service.agent(
    [{ steps: [{ call: 'look', input }, { call: 'refund', input }, { say: '{{result}}' }] }],
    { tools: [{ name: 'look' }, { name: 'refund', approval: 'always' }] },
  );
  const events = await (await agent.visitor.start('go')).log(1);
  expect(dataOf(events, 'actions.requested')).toHaveLength(1);
  expect(dataOf(events, 'input.requested')).toEqual([]);
  expect(said(events)).toEqual([expect.stringMatching(/not made: the arguments of a step have at most/)]);
  expectBounded(events);
});

test('what one step asks fits in one event', async () => {
  const call = { call: 'refund', input: { name: 'x'.repeat(8_000) } };
  const agent = await service.agent([{ steps: Array.from({ length: maxCallsPerStep }, () => call) }], {
    tools: [{ name: 'refund', approval: 'always' }],
  });
  const events = await (await agent.visitor.start('go')).log(1);
  expect(asked(events)).toHaveLength(Math.floor(maxArgumentBytes / 8_011));
  expectBounded(events);
});

test('what a model says in one step ends at a length that one event can hold', async () => {
  const agent = await service.agent([
    { steps: [{ say: `${'\u{1F600}"\u0001'.repeat(100)} `, repeat: 1_000 }] },
  ]);
  const events = await (await agent.visitor.start('go')).log(1);
  const [message] = dataOf(events, 'message.completed');
  expect(message).toMatchObject({ finishReason: 'length' });
  expect(dataOf(events, 'step.completed')).toMatchObject([{ finishReason: 'length' }]);
  const text = message?.message ?? '';
  expect(text.isWellFormed()).toBe(true);
  const bytes = Buffer.byteLength(JSON.stringify(text));
  expect(bytes).toBeGreaterThan(maxStepTextBytes - 20);
  expect(bytes).toBeLessThanOrEqual(maxStepTextBytes + 2);
  expect(
    dataOf(events, 'message.appended')
      .map(({ messageDelta }) => messageDelta)
      .join(''),
  ).toBe(text);
  expectBounded(events);
});

test('a delta larger than an event arrives in pieces', async () => {
  const text = '\u{1F600}'.repeat(45_000);
  const provider = service.endpoint.provider({ text: [text] });
  const agent = await service.agent([], { agent: { model: provider.model } });
  const events = await (await agent.visitor.start('go')).log(1);
  const deltas = dataOf(events, 'message.appended').map(({ messageDelta }) => messageDelta);
  expect(deltas.length).toBeGreaterThan(2);
  for (const delta of deltas) expect(delta.isWellFormed()).toBe(true);
  expect(said(events)).toEqual([text]);
  expect(deltas.join('')).toBe(text);
  expectBounded(events);
});

test('the longest answer of a page is held whole by one event', async () => {
  const clientTools = [{ name: 'read_page', description: 'Reads', parameters: { type: 'object' } }];
  const agent = await service.agent([{ steps: [{ call: 'read_page' }, { say: 'Read.' }] }]);
  const session = await agent.visitor.start('go', { clientTools });
  const [call] = dataOf(await session.log(1), 'action.delegated');
  const page = '\u0001'.repeat(Math.floor((maxPageOutputBytes - '{"page":""}'.length) / 6));
  const answer = (output: object) => session.send({ actionResults: [{ callId: call?.callId, output }] });
  expect(await answer({ page: `${page}\u0001` })).toMatchObject({ status: 400 });
  expect(await answer({ page })).toMatchObject({ status: 200 });
  const events = await session.log(2);
  expect(dataOf(events, 'action.result')[0]?.result.output).toEqual({ page });
  expectBounded(events);
});

test('late answers, however long, become a message that one event can hold', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: 'Heard.' }] }]);
  const session = await visitor.start('hello');
  await session.log(1);
  const text = '\u0001'.repeat(14_000);
  const inputResponses = [{ requestId: 'gone', text }];
  expect(await session.send({ message: text, inputResponses })).toMatchObject({ status: 200 });
  const events = await session.log(2);
  expect(said(events)).toEqual(['Heard.', 'Heard.']);
  expectBounded(events);
});
