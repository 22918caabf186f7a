import { beforeAll, describe, expect, test } from 'vitest';
import { chatService } from '../../testing/chat-service.ts';
import { Visitor, asked, dataOf, said } from '../../testing/visitor.ts';

let service: Awaited<ReturnType<typeof chatService>>;
beforeAll(async () => {
  service = await chatService();
});

const parameters = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] };
let tools = 0;

/** An agent that looks something up, which the test answers, and then asks whether it may refund. */
async function refunding(approval: 'once' | 'always' = 'always', more: object = {}) {
  const [look, refund] = [`look_${tools}`, `refund_${tools++}`];
  const call = { call: refund, input: { order: 'A-17' } };
  const request = {
    method: 'POST',
    url: `${service.endpoint.url}/${refund}`,
    headers: { 'x-shop': 'first-secret' },
    body: { order: '{{order}}' },
  };
  const agent = await service.agent(
    [
      { when: 'slow', steps: [{ call: look }, { say: 'Well. ' }, call, { say: 'Then: {{result}}.' }] },
      { when: 'refund', steps: [call, { say: 'Then: {{result}}.' }] },
      { steps: [{ say: 'Heard {{input}}' }] },
    ],
    { tools: [{ name: look }, { name: refund, approval, parameters, request }], ...more },
  );
  const { body } = await service.settings('GET', `/tools?agentId=${agent.agentId}`);
  const tool = body.items.find(({ name }: { name: string }) => name === refund);
  const visitor = new Visitor(service.url, agent.secret.key);
  return { agent, visitor, tool, look: `/${look}`, refund: `/${refund}` };
}

test('a yes that was sent before the approval was shown approves nothing', async () => {
  const { visitor, look, refund } = await refunding();
  const session = await visitor.start('slow');
  const call = await service.endpoint.call(look);
  await session.send({ message: 'Yes' });
  call.answer('found');
  const early = await session.log(2);
  expect(asked(early)).toHaveLength(1);
  expect(dataOf(early, 'input.answered')).toEqual([]);
  expect(dataOf(early, 'action.result')).toHaveLength(1);

  // Said again with the card in sight, it counts; what was said before is answered after it.
  service.endpoint.answers(refund, 'refunded');
  await session.send({ message: 'Yes' });
  const events = await session.log(3);
  expect(dataOf(events, 'input.answered')).toMatchObject([{ optionId: 'approve' }]);
  expect(said(events)).toEqual(['Well. ', 'Then: refunded.', 'Heard Yes']);
});

test('a yes that was written before the approval was on the screen approves nothing, whenever it arrives', async () => {
  const { visitor, refund } = await refunding();
  const session = await visitor.start('refund');
  const before = await session.log(1);
  const shownIndex = before.findIndex(({ type }) => type === 'input.requested');
  await session.send({ message: 'Yes', shownIndex });
  expect(dataOf(await session.log(2), 'input.answered')).toEqual([]);

  service.endpoint.answers(refund, 'refunded');
  await session.send({ message: 'Yes', shownIndex: shownIndex + 1 });
  expect(dataOf(await session.log(3), 'input.answered')).toMatchObject([{ optionId: 'approve' }]);
});

test('an index of what was shown that is none is refused', async () => {
  const { visitor } = await refunding();
  const session = await visitor.start('refund');
  for (const shownIndex of [-1, 0.5, '1', null])
    expect((await session.send({ message: 'Yes', shownIndex })).body).toMatchObject({
      error: "Expected 'shownIndex' to be an integer from 0 to 1000000000.",
    });
});

test('a yes that waits in the queue behind another does not approve what that one asks', async () => {
  const { visitor, look } = await refunding();
  const session = await visitor.start('slow');
  const call = await service.endpoint.call(look);
  for (const message of ['hm', 'yes', 'approve']) await session.send({ message });
  call.answer('found');
  const events = await session.log(4);
  expect(dataOf(events, 'input.answered')).toEqual([]);
  expect(dataOf(events, 'message.received')).toHaveLength(4);
});

test('a text that was sent before a question was asked is no answer to it', async () => {
  const name = `look_${tools++}`;
  const ask = { prompt: 'Which?', options: [{ id: 'a', label: 'Alpha' }], allowFreeform: true };
  const agent = await service.agent(
    [
      { when: 'slow', steps: [{ call: name }, { say: 'Well. ' }, { ask }, { say: 'Got {{result}}.' }] },
      { steps: [{ say: 'Heard {{input}}' }] },
    ],
    { tools: [{ name }] },
  );
  const session = await new Visitor(service.url, agent.secret.key).start('slow');
  const call = await service.endpoint.call(`/${name}`);
  await session.send({ message: 'Alpha' });
  call.answer('found');
  const events = await session.log(2);
  expect(asked(events)).toHaveLength(1);
  expect(dataOf(events, 'input.answered')).toEqual([]);
  expect(said(events)).toEqual(['Well. ', 'Heard Alpha']);
});

test('nor does an early yes approve anything on the Chat interface', async () => {
  const { agent, look, refund } = await refunding('always', { agent: { approvalsOnChat: true } });
  const first = agent.ask('c', 'slow');
  const call = await service.endpoint.call(look);
  // Ten wait at most: once one is refused, the others are accepted.
  const early = Array.from({ length: 11 }, () => agent.ask('c', 'yes'));
  expect((await Promise.race(early)).status).toBe(429);
  call.answer('found');
  await first;
  const texts = (await Promise.all(early)).map(({ body }) => body.text ?? '');
  expect(texts.join('')).toBe('');
  service.endpoint.answers(refund, 'refunded');
  expect((await agent.ask('c', 'yes')).body.text).toContain('Then: refunded.');
});

const changed = 'TOOL_CHANGED';
const url = () => `${service.endpoint.url}/elsewhere`;
const edits: [string, () => object][] = [
  ['address', () => ({ request: { url: url(), headers: { 'x-shop': 'first-secret' } } })],
  ['method', () => ({ request: { method: 'PUT' } })],
  ['query', () => ({ request: { query: { all: 'true' } } })],
  ['body', () => ({ request: { body: { order: '{{order}}', all: true } } })],
  ['header', () => ({ request: { headers: { 'x-all': 'yes' } } })],
  ['parameters', () => ({ parameters: { ...parameters, required: [] } })],
  ['approval', () => ({ approval: 'never' })],
];

describe.each(edits)('a tool whose %s changed after its call was shown', (_, edit) => {
  test('is not run by the approval, and everybody is told', async () => {
    const { visitor, tool } = await refunding();
    const session = await visitor.start('refund');
    const [request] = asked(await session.log(1));
    const edited = await service.settings('PATCH', `/tools/${tool.id}`, edit());
    expect(edited).toMatchObject({ status: 200 });
    await session.send({ inputResponses: [{ requestId: request?.requestId, optionId: 'approve' }] });
    const events = await session.log(2);
    expect(dataOf(events, 'action.result')).toMatchObject([{ status: 'failed', error: { code: changed } }]);
    expect(said(events)[0]).toMatch(/^Then: The tool was changed .* was not run\.\.$/);
  });
});

test('a tool that was removed and made again under its name is not run by the approval', async () => {
  const { visitor, tool } = await refunding();
  const session = await visitor.start('refund');
  await session.log(1);
  await service.settings('DELETE', `/tools/${tool.id}`);
  const { id: _, createdAt: __, idempotent: ___, ...again } = tool;
  const request = { ...again.request, headers: { 'x-shop': 'first-secret' } };
  expect(await service.settings('POST', '/tools', { ...again, request })).toMatchObject({ status: 201 });
  await session.send({ message: 'yes' });
  const results = dataOf(await session.log(2), 'action.result');
  expect(results).toMatchObject([{ error: { code: changed } }]);
});

test('a secret that was rotated leaves the approval standing', async () => {
  const { visitor, tool, refund } = await refunding();
  const session = await visitor.start('refund');
  await session.log(1);
  service.endpoint.answers(refund, 'refunded');
  await service.settings('PATCH', `/tools/${tool.id}`, { request: { headers: { 'x-shop': 'second' } } });
  await session.send({ message: 'yes' });
  expect(said(await session.log(2))).toEqual(['Then: refunded.']);
});

test('what was approved once is asked again after the tool changed', async () => {
  const { visitor, tool, refund } = await refunding('once');
  service.endpoint.answers(refund, 'refunded');
  const session = await visitor.start('refund');
  await session.log(1);
  await session.send({ message: 'yes' });
  await session.log(2);
  await session.send({ message: 'refund again' });
  expect(asked(await session.log(3))).toHaveLength(1);
  await service.settings('PATCH', `/tools/${tool.id}`, { request: { query: { all: 'true' } } });
  await session.send({ message: 'refund again' });
  const events = await session.log(4);
  expect(asked(events)).toHaveLength(2);
  expect(dataOf(events, 'action.result')).toHaveLength(2);
});

test('messages behind an open approval do not pile up without end: the eleventh is not passed on', async () => {
  const { visitor, refund } = await refunding();
  const session = await visitor.start('refund');
  for (let sent = 1; sent <= 11; sent += 1) {
    await session.log(sent);
    await session.send({ message: `message ${sent}` });
  }
  const before = await session.log(12);
  expect(dataOf(before, 'message.received')).toHaveLength(12);
  expect(dataOf(before, 'turn.failed')).toMatchObject([{ turnId: 'turn_11', code: 'INPUT_PENDING' }]);
  service.endpoint.answers(refund, 'refunded');
  await session.send({ message: 'yes' });
  const heard = Array.from({ length: 10 }, (_, index) => `Heard message ${index + 1}`);
  expect(said(await session.log(13))).toEqual(['Then: refunded.', ...heard]);
});
