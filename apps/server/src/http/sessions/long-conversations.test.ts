import { beforeAll, expect, test } from 'vitest';
import { summariseInstructions } from '../../model/summarise.ts';
import type { Prompt, TestProvider } from '../../testing/tool-endpoint.ts';
import {
  type SharedService,
  type VisitorSession,
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

const long = (text: string, characters = 3_000) => `${text} ${'x'.repeat(characters - text.length - 1)}`;
const summary = { text: ['A summary.'] };
const ok = { text: ['ok'] };

/** What each call was for. */
function kinds(provider: TestProvider): string[] {
  return provider.prompts().map(({ messages }) => {
    const isSummary = messages[0]?.content === summariseInstructions;
    return isSummary ? 'summary' : `turn ${messages.length}`;
  });
}

function texts(prompt: Prompt | undefined): string[] {
  return (prompt?.messages ?? []).map(({ content }) =>
    typeof content === 'string' ? content : JSON.stringify(content),
  );
}

/** Sends the messages one after the other, and gives the log after the last. */
async function say(session: VisitorSession, from: number, ...messages: unknown[]) {
  for (const [index, message] of messages.entries()) {
    await session.send({ message });
    await session.log(from + index + 1);
  }
  return session.log(from + messages.length);
}

test('a prompt that its model does not take is summarised and sent once more; other conversations know it then', async () => {
  const provider = service.endpoint.limitedProvider(12_000, ok, ok, ok, summary, summary, ok);
  const { visitor } = await service.agent([], { agent: { model: provider.model } });
  const session = await visitor.start(long('one'));
  const events = await say(session, 1, long('two'), long('three'), long('four'));
  expect(said(events)).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(kinds(provider)).toEqual(['turn 1', 'turn 3', 'turn 5', 'turn 7', 'summary', 'summary', 'turn 2']);
  expect(texts(provider.prompts().at(-1))).toEqual([
    'Summary of the conversation so far:\nA summary.',
    long('four'),
  ]);
  const types = typesOf(events);
  expect(types.slice(types.lastIndexOf('step.started'))).toEqual([
    'step.started',
    'compaction.requested',
    'compaction.completed',
    'message.appended',
    'message.completed',
    'step.completed',
    'turn.completed',
    'session.waiting',
  ]);

  const other = await visitor.start(long('one'));
  await say(other, 1, long('two'), long('three'), long('four'));
  const calls = provider.prompts().length;
  expect(provider.taken()).toHaveLength(calls - 1);
});

test('a turn that is too long twice fails, and the next message is answered', async () => {
  const provider = service.endpoint.provider(ok, 'too-long', summary, 'too-long', ok);
  const { visitor } = await service.agent([], { agent: { model: provider.model } });
  const session = await visitor.start(long('one'));
  const events = await say(session, 1, long('two'), 'three');
  expect(dataOf(events, 'turn.failed')).toMatchObject([{ turnId: 'turn_1', code: 'MODEL_CALL_FAILED' }]);
  expect(said(events)).toEqual(['ok', 'ok']);
  expect(kinds(provider)).toEqual(['turn 1', 'turn 3', 'summary', 'turn 2', 'turn 2']);
  expect(texts(provider.prompts().at(-1)).at(-1)).toBe('three');
});

test('what a tool answers is cut where the newest turn alone is too long', async () => {
  const call = { call: { id: 'a', name: 'big', input: '{"name":"x"}' } };
  const provider = service.endpoint.limitedProvider(60_000, call, { text: ['Read.'] });
  const { visitor } = await service.agent([], {
    agent: { model: provider.model },
    tools: [{ name: 'big', path: '/big' }],
  });
  const events = await (await visitor.start('go')).log(1);
  expect(said(events)).toEqual(['Read.']);
  const last = texts(provider.prompts().at(-1));
  expect(last[0]).toBe('go');
  expect(last.at(-1)).toMatch(/^x+\n\[\d+ bytes are left out here\.\]\nx+/);
});

test('a document is named where the newest turn alone is too long, and then the text is cut', async () => {
  const provider = service.endpoint.limitedProvider(9_000);
  const { visitor } = await service.agent([], { agent: { model: provider.model } });
  const data = Buffer.alloc(6_000, 7).toString('base64');
  const session = await visitor.start([
    { type: 'text', text: 'Look:' },
    { type: 'file', mediaType: 'image/png', filename: 'a.png', data },
  ]);
  expect(said(await session.log(1))).toEqual(['ok']);
  expect(texts(provider.prompts().at(-1))[0]).toContain(
    '[file: a.png (image/png), left out: too long for the model]',
  );
  const another = await visitor.start(long('read', 19_000));
  expect(said(await another.log(1))).toEqual(['ok']);
  expect(texts(provider.prompts().at(-1))[0]).toMatch(/^read x+\n\[\d+ bytes are left out here\.\]\nx+$/);
});

test('a document that takes more than it seems to shortens nobody else’s prompts', async () => {
  const overflow = { error: { message: 'Your input exceeds the context window of this model.' } };
  const provider = service.endpoint.provider(overflow, ok);
  const { visitor } = await service.agent([], { agent: { model: provider.model } });
  const data = Buffer.alloc(600, 7).toString('base64');
  const session = await visitor.start([
    { type: 'text', text: long('read', 6_000) },
    { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data },
  ]);
  expect(said(await session.log(1))).toEqual(['ok']);
  expect(texts(provider.prompts().at(-1))[0]).toContain('a.pdf (application/pdf), left out');
  const other = await visitor.start(long('whole', 19_000));
  expect(said(await other.log(1))).toEqual(['ok']);
  expect(texts(provider.prompts().at(-1))).toEqual([long('whole', 19_000)]);
});

test('a history of many windows is summarised in a few calls that each fit', async () => {
  const provider = service.endpoint.provider();
  const { visitor, agentId } = await service.agent([], { agent: { model: provider.model } });
  const session = await visitor.start(long('0'));
  await say(session, 1, ...Array.from({ length: 19 }, (_, index) => long(String(index + 1))));
  expect(kinds(provider)).not.toContain('summary');
  await service.settings('PATCH', `/agents/${agentId}`, { contextTokens: 3_000 });
  expect(said(await say(session, 20, 'And now?')).at(-1)).toBe('ok');
  const later = provider.prompts().slice(20);
  expect(kinds(provider).slice(20)).toEqual([...Array.from({ length: 8 }, () => 'summary'), 'turn 2']);
  for (const prompt of later) expect(JSON.stringify(prompt.messages).length).toBeLessThan(9_000);
  expect(texts(later[7]).join('\n')).toContain(long('19'));
  expect(texts(later[0]).join('\n')).toContain('[Some of what was said after this is left out.]');
});

test('a history that cannot be summarised ends no conversation', async () => {
  const provider = service.endpoint.provider(ok, 'refused', ok, ok);
  const { visitor } = await service.agent([], { agent: { model: provider.model, contextTokens: 1_500 } });
  const session = await visitor.start(long('one'));
  const events = await say(session, 1, long('two'), 'three');
  expect(said(events)).toEqual(['ok', 'ok', 'ok']);
  expect(kinds(provider)).toEqual(['turn 1', 'summary', 'turn 2', 'summary', 'turn 2']);
  expect(texts(provider.prompts()[2])[0]).toContain(
    '[What was said after this is left out: it could not be summarised.]',
  );
});

test('a summary is bounded, however much the model writes', async () => {
  const provider = service.endpoint.provider(ok, { text: ['word '.repeat(20_000)] });
  const { visitor } = await service.agent([], { agent: { model: provider.model } });
  const session = await visitor.start(long('one'));
  await session.log(1);
  await session.control('compact');
  await session.log(2);
  await say(session, 2, 'two');
  const [first] = texts(provider.prompts().at(-1));
  expect(first!.length).toBeGreaterThan(10_000);
  expect(first!.length).toBeLessThan(17_000);
});

test('files go along for three more turns, then they are names', async () => {
  const provider = service.endpoint.provider();
  const { visitor } = await service.agent([], { agent: { model: provider.model } });
  const session = await visitor.start([
    { type: 'file', mediaType: 'image/png', filename: 'a.png', data: 'iVBORw0KGgo=' },
  ]);
  await session.log(1);
  await say(session, 1, 'two', 'three', 'four', 'five');
  const first = provider.prompts().map((prompt) => texts(prompt)[0]);
  expect(first.map((text) => text!.includes('data:image/png'))).toEqual([true, true, true, true, false]);
  expect(first.at(-1)).toBe('[file: a.png (image/png)]');
});

test('messages that wait for an approval are bounded', async () => {
  const call = { call: { id: 'a', name: 'erase', input: '{"name":"x"}' } };
  const provider = service.endpoint.provider(call);
  const { visitor } = await service.agent([], {
    agent: { model: provider.model },
    tools: [{ name: 'erase', approval: 'always' }],
  });
  const session = await visitor.start('go');
  await session.log(1);
  const events = await say(session, 1, ...Array.from({ length: 11 }, (_, index) => `more ${index}`));
  expect(dataOf(events, 'turn.failed')).toMatchObject([{ turnId: 'turn_11', code: 'INPUT_PENDING' }]);
  const inputResponses = [{ requestId: asked(events)[0]!.requestId, optionId: 'approve' }];
  await session.send({ inputResponses });
  const after = await session.log(13);
  expect(said(after)).toEqual(Array.from({ length: 11 }, () => 'ok'));
  expect(texts(provider.prompts().at(-1)).filter((text) => text.startsWith('more'))).toHaveLength(10);
});

test('a text file that no prompt has room for is named, and what was said before it stays as it is', async () => {
  const provider = service.endpoint.provider();
  const { visitor } = await service.agent([], {
    agent: { model: provider.model, contextTokens: 4_000 },
  });
  const session = await visitor.start('one');
  await session.log(1);
  const data = Buffer.alloc(60_000, 'word ').toString('base64');
  const message = [
    { type: 'text', text: 'Read this.' },
    { type: 'file', mediaType: 'text/plain', filename: 'book.txt', data },
  ];
  await session.send({ message });
  expect(said(await session.log(2))).toEqual(['ok', 'ok']);
  expect(kinds(provider)).toEqual(['turn 1', 'turn 3']);
  const [first, , last] = texts(provider.prompts().at(-1));
  expect(first).toBe('one');
  expect(last).toContain('[file: book.txt (text/plain), left out: too long for the model]');
});
