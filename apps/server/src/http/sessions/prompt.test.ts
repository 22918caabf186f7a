import { beforeAll, expect, test } from 'vitest';
import { summariseInstructions } from '../../model/summarise.ts';
import type { Prompt, ProviderReply, TestProvider } from '../../testing/tool-endpoint.ts';
import {
  type SharedService,
  type Visitor,
  asked,
  dataOf,
  said,
  sharedService,
  typesOf,
} from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const gated = { name: 'erase', approval: 'always' };
const eraseCall = (id: string) => ({ call: { id, name: 'erase', input: `{"name":"${id}"}` } });

/** An agent whose model answers with these, and what the model was called with. */
async function modelled(
  replies: readonly ProviderReply[],
  more: Parameters<SharedService['agent']>[1] = {},
): Promise<{ visitor: Visitor; agentId: string; provider: TestProvider }> {
  const provider = service.endpoint.provider(...replies);
  const { visitor, agentId } = await service.agent([], {
    ...more,
    agent: { model: provider.model, ...more.agent },
  });
  return { visitor, agentId, provider };
}

/** Role and content of every message, without instructions. */
function messages(prompt: Prompt | undefined): unknown[] {
  return (prompt?.messages ?? []).map((message) =>
    'tool_calls' in message ? [message.role, 'call'] : [message.role, message.content],
  );
}

test('client context: each entry before the message, and still there on the next turn', async () => {
  const { visitor, provider } = await modelled([]);
  const session = await visitor.start('hi', { clientContext: ['page one', 'page two'] });
  await session.send({ message: 'next', clientContext: { page: 3 } });
  const events = await session.log(2);
  expect(dataOf(events, 'message.received').map(({ message }) => message)).toEqual(['hi', 'next']);
  const first = [
    ['user', 'Client context:\npage one'],
    ['user', 'Client context:\npage two'],
    ['user', 'hi'],
  ];
  expect(messages(provider.prompts()[0])).toEqual(first);
  expect(messages(provider.prompts()[1])).toEqual([
    ...first,
    ['assistant', 'ok'],
    ['user', 'Client context:\n{"page":3}'],
    ['user', 'next'],
  ]);
});

test('client context of held text and of answers reaches the model, too', async () => {
  const { visitor, provider } = await modelled([eraseCall('held'), { text: ['Erased.'] }], {
    tools: [gated],
  });
  const session = await visitor.start('go');
  const [ask] = asked(await session.log(1));
  await session.send({ message: 'And then?', clientContext: 'page two' });
  const inputResponses = [{ requestId: ask!.requestId, optionId: 'approve' }];
  await session.send({ inputResponses, clientContext: 'page three' });
  const events = await session.log(3);
  expect(said(events)).toEqual(['Erased.', 'ok']);
  expect(messages(provider.prompts()[1])).toEqual([
    ['user', 'go'],
    ['assistant', 'call'],
    ['tool', '{"done":"/erase/held"}'],
    ['user', 'Client context:\npage three'],
  ]);
  expect(messages(provider.prompts()[2]).slice(4)).toEqual([
    ['assistant', 'Erased.'],
    ['user', 'Client context:\npage two'],
    ['user', 'And then?'],
  ]);
});

test('the model reads of a denial that it was denied, and of an answer what was answered', async () => {
  const question = { call: { id: 'q', name: 'ask_question', input: '{"prompt":"Sure?"}' } };
  const { visitor, provider } = await modelled([eraseCall('no'), question], { tools: [gated] });
  const session = await visitor.start('go');
  const [approval] = asked(await session.log(1));
  const denial = { requestId: approval!.requestId, optionId: 'deny', text: 'canary' };
  await session.send({ inputResponses: [denial] });
  const open = asked(await session.log(2))[1];
  await session.send({ inputResponses: [{ requestId: open!.requestId, optionId: 'a', text: 'b' }] });
  await session.log(3);
  const results = messages(provider.prompts()[2]).filter((message) => String(message).startsWith('tool'));
  expect(results).toEqual([
    ['tool', 'The user denied this call.'],
    ['tool', '{"optionId":"a","text":"b","status":"answered"}'],
  ]);
});

test('calls of an unknown tool and with broken arguments have no event; the model alone is told', async () => {
  const broken = { call: { id: 'b', name: 'look', input: '{"name":' } };
  const unknown = { call: { id: 'u', name: 'launch', input: '{}' } };
  const { visitor, provider } = await modelled([broken, unknown], { tools: [{ name: 'look' }] });
  const events = await (await visitor.start('go')).log(1);
  expect(typesOf(events).filter((type) => type.startsWith('action') && type !== 'action.appended')).toEqual(
    [],
  );
  const results = messages(provider.prompts()[2]).filter((message) => String(message).startsWith('tool'));
  expect(results).toEqual([
    ['tool', expect.stringContaining('not valid JSON')],
    ['tool', 'There is no tool named launch.'],
  ]);
});

test('a model that calls tools in its last step, although it is told not to, is not asked again', async () => {
  const call = (id: string) => ({ text: ['Hm.'], call: { id, name: 'look', input: '{"name":"x"}' } });
  const { visitor, provider } = await modelled([call('1'), call('2'), call('3'), call('4')], {
    agent: { maxSteps: 2 },
    tools: [{ name: 'look' }],
  });
  const session = await visitor.start('go');
  const events = await session.log(1);
  expect(provider.prompts()).toHaveLength(2);
  expect(provider.prompts().map((prompt) => prompt.tool_choice)).toEqual(['auto', 'none']);
  expect(dataOf(events, 'action.result')).toHaveLength(1);
  expect(typesOf(events).at(-1)).toBe('session.waiting');
});

test('a stale answer is explained to the model', async () => {
  const { visitor, provider } = await modelled([]);
  const session = await visitor.start('hi');
  const stale = [{ requestId: 'gone', optionId: 'y' }];
  await session.send({ inputResponses: stale });
  await session.log(2);
  const [, content] = messages(provider.prompts()[1]).at(-1) as [string, string];
  expect(content).toMatch(/^y\n/);
  expect(content).toContain(JSON.stringify(stale));
});

test('failed and cancelled turns are not part of later prompts', async () => {
  const { visitor, provider } = await modelled(['refused']);
  const session = await visitor.start('fails');
  await session.send({ message: 'works' });
  const events = await session.log(2);
  expect(typesOf(events)).toContain('turn.failed');
  expect(messages(provider.prompts()[1])).toEqual([['user', 'works']]);
});

test('compact: the model goes on with the summary it wrote', async () => {
  const { visitor, provider } = await modelled([{ text: ['Hello.'] }, { text: ['They said hi.'] }]);
  const session = await visitor.start('hi');
  const answer = await session.control('compact');
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({ ok: true, sessionId: session.id, status: 'accepted' });
  await session.send({ message: 'next' });
  const events = await session.log(3);
  const types = typesOf(events);
  const from = types.indexOf('session.waiting') + 1;
  expect(types.slice(from, from + 4)).toEqual([
    'compaction.requested',
    'compaction.completed',
    'session.waiting',
    'turn.started',
  ]);
  expect(dataOf(events, 'compaction.requested')).toEqual([
    { sequence: 0, turnId: 'turn_0', modelId: 'local-model', sessionId: session.id, usageInputTokens: null },
  ]);
  expect(messages(provider.prompts()[1]).slice(0, 3)).toEqual([
    ['system', summariseInstructions],
    ['user', 'hi'],
    ['assistant', 'Hello.'],
  ]);
  expect(messages(provider.prompts()[2])).toEqual([
    ['user', 'Summary of the conversation so far:\nThey said hi.'],
    ['user', 'next'],
  ]);
});

test('compact with nothing to summarise says the same, without a model call', async () => {
  const { visitor, provider } = await modelled([]);
  const session = await visitor.start('hi');
  await session.control('clear');
  await session.control('compact');
  const events = await session.log(3);
  expect(typesOf(events).slice(-3)).toEqual([
    'compaction.requested',
    'compaction.completed',
    'session.waiting',
  ]);
  expect(provider.prompts()).toHaveLength(1);
});

test('a history that outgrows contextTokens is compacted by itself', async () => {
  const { visitor, provider } = await modelled([{ text: ['word '.repeat(200)] }, { text: ['A summary.'] }], {
    agent: { contextTokens: 100 },
  });
  const session = await visitor.start('hi');
  await session.send({ message: 'next' });
  const events = await session.log(2);
  const types = typesOf(events);
  const from = types.lastIndexOf('turn.started');
  expect(types.slice(from, from + 6)).toEqual([
    'turn.started',
    'message.received',
    'step.started',
    'compaction.requested',
    'compaction.completed',
    'message.appended',
  ]);
  expect(dataOf(events, 'compaction.completed')).toEqual([
    { sequence: 1, turnId: 'turn_1', modelId: 'local-model', sessionId: session.id },
  ]);
  expect(messages(provider.prompts()[2])).toEqual([
    ['user', 'Summary of the conversation so far:\nA summary.'],
    ['user', 'next'],
  ]);
});

test('a file does not count as words: a picture is no reason to summarise what was said before', async () => {
  const { visitor } = await modelled([{ text: ['Hello.'] }, { text: ['A picture.'] }]);
  const session = await visitor.start('hi');
  const data = Buffer.alloc(450_000, 7).toString('base64');
  await session.send({ message: [{ type: 'file', mediaType: 'image/png', data }] });
  const events = await session.log(2);
  expect(typesOf(events)).not.toContain('compaction.requested');
  expect(dataOf(events, 'message.completed').map(({ message }) => message)).toEqual(['Hello.', 'A picture.']);
});

test('compacting while an approval waits keeps the step that asked', async () => {
  const { visitor, provider } = await modelled(
    [{ text: ['Hello.'] }, eraseCall('kept'), { text: ['A summary.'] }, { text: ['Erased.'] }],
    { tools: [gated] },
  );
  const session = await visitor.start('hi');
  await session.send({ message: 'erase it' });
  const [ask] = asked(await session.log(2));
  await session.control('compact');
  await session.send({ inputResponses: [{ requestId: ask!.requestId, optionId: 'approve' }] });
  expect(said(await session.log(4))).toEqual(['Hello.', 'Erased.']);
  expect(messages(provider.prompts()[3])).toEqual([
    ['user', 'Summary of the conversation so far:\nA summary.'],
    ['user', 'erase it'],
    ['assistant', 'call'],
    ['tool', '{"done":"/erase/kept"}'],
  ]);
});

test('a compaction that fails leaves everything as it was, and does not hold the queue up', async () => {
  const { visitor, provider } = await modelled([{ text: ['Hello.'] }, 'refused']);
  const session = await visitor.start('hi');
  await session.control('compact');
  await session.send({ message: 'next' });
  const events = await session.log(3);
  expect(typesOf(events)).not.toContain('compaction.completed');
  expect(messages(provider.prompts()[2])).toEqual([
    ['user', 'hi'],
    ['assistant', 'Hello.'],
    ['user', 'next'],
  ]);
});

test('the model gets the bytes of files, and the address of those it was only told of', async () => {
  const { visitor, provider } = await modelled([]);
  const session = await visitor.start([
    { type: 'text', text: 'Look:' },
    { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
    { type: 'file', mediaType: 'text/plain', filename: 'a.txt', data: 'https://files.example/a.txt' },
  ]);
  await session.send({
    message: [{ type: 'file', mediaType: 'text/plain', data: 'https://files.example/b.txt' }],
  });
  await session.log(2);
  expect(messages(provider.prompts()[0])).toEqual([
    [
      'user',
      [
        { type: 'text', text: 'Look:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        { type: 'text', text: '[file: a.txt (text/plain) at https://files.example/a.txt]' },
      ],
    ],
  ]);
  expect(messages(provider.prompts()[1]).at(-1)).toEqual([
    'user',
    '[file: text/plain (text/plain) at https://files.example/b.txt]',
  ]);
});
