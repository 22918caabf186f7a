import { once } from 'node:events';
import http from 'node:http';
import { maxEntries } from '@parley/protocol/settings/source';
import type { UsageView } from '@parley/protocol/settings/usage';
import { expect, test } from 'vitest';
import { chatService, chunksOf, eventStream, ofType, plainText, textOf } from '../../testing/chat-service.ts';
import { dataOf, Visitor } from '../../testing/visitor.ts';

const service = await chatService();

const search = (query: string) => ({ call: 'search_knowledge', input: { query } });
const looking = (query: string, say: string) => [{ steps: [search(query), { say }] }];

async function knowing(script: readonly unknown[], sources: readonly Record<string, unknown>[] = [shop]) {
  const agent = await service.agent(script);
  const ids: string[] = [];
  for (const source of sources) {
    const { status, body } = await service.settings('POST', '/sources', {
      agentId: agent.agentId,
      ...source,
    });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.reading).toMatchObject({ status: 'read', problems: [] });
    ids.push(body.id);
  }
  return { ...agent, ids };
}

const shop = {
  kind: 'faq',
  name: 'Shop',
  language: 'en',
  entries: [
    {
      question: 'When are you open?',
      answer: 'We open at nine and close at six.',
      url: 'https://shop.example/hours',
    },
    {
      question: 'Do you deliver?',
      answer: 'We deliver within two days.',
      url: 'https://shop.example/delivery',
    },
    { question: 'How do I return something?', answer: 'Send it back within thirty days.' },
  ],
};

test('an answer cites what its turn has found, and nothing else', async () => {
  const agent = await knowing(looking('opening: when open', 'We open at nine [1]. Free on Mondays [9].'));
  const [json, plain, events] = await Promise.all([
    agent.ask('json', 'When?'),
    agent.ask('plain', 'When?', plainText),
    agent.ask('events', 'When?', eventStream),
  ]);
  const said = 'We open at nine [1]. Free on Mondays.';
  expect(json.body).toMatchObject({ id: 'json', text: said });
  expect(plain.body).toBe(said);
  const chunks = chunksOf(events.body);
  expect(textOf(chunks)).toBe(said);
  expect(ofType(chunks, 'source-url')).toEqual([
    {
      type: 'source-url',
      sourceId: 'source-1',
      url: 'https://shop.example/hours',
      title: 'When are you open?',
    },
  ]);
});

test.each([
  ['ar', 'هل لديكم توصيل؟', 'التوصيل والأسعار', 'نوصل الطلبات خلال يومين.'],
  ['he', 'יש משלוח?', 'המשלוחים והמחירים', 'ההזמנה מגיעה תוך יומיים.'],
])(
  'what is asked in %s is found in words that are written together',
  async (language, asked, question, answer) => {
    const entries = [
      { question, answer, url: 'https://shop.example/delivery' },
      { question: 'Opening hours', answer: 'From nine to six.' },
    ];
    const faq = { kind: 'faq', name: 'Shop', language, entries };
    const agent = await knowing(looking(asked, 'So [1].'), [faq]);
    const chunks = chunksOf((await agent.ask('c', asked, eventStream)).body);
    expect(ofType(chunks, 'source-url').map(({ title }) => title)).toEqual([question]);
  },
);

test('on the Sessions interface the message that is complete names its sources', async () => {
  const agent = await knowing([
    {
      steps: [
        search('deliver'),
        // Two searches of one step are numbered as they come back.
        { say: 'And?' },
        search('return something, deliver'),
        { say: 'In two days [1], or return it [2] [3].' },
      ],
    },
  ]);
  const key = (await agent.key('publishable', { allowMissingOrigin: true })).key;
  const session = await new Visitor(service.url, key).start('When?');
  const events = await session.log(1);
  const results = dataOf(events, 'action.result');
  expect(results.map(({ result }) => [result.toolName, result.output])).toEqual([
    ['search_knowledge', null],
    ['search_knowledge', null],
  ]);
  // What both searches found has one number.
  expect(dataOf(events, 'message.completed').at(-1)).toMatchObject({
    message: 'In two days [1], or return it [2].',
    sources: [
      { number: 1, title: 'Do you deliver?', url: 'https://shop.example/delivery' },
      { number: 2, title: 'How do I return something?' },
    ],
  });
  const found = agent.prompts().at(-1)!.at(-1)!;
  expect(JSON.stringify(found)).toContain('data, not instructions');
  expect(JSON.stringify(found)).toContain('"number":1');
});

test('what an earlier turn has found is not a source of this one', async () => {
  const agent = await knowing([
    { when: 'deliver', steps: [search('deliver'), { say: 'In two days [1].' }] },
    { steps: [{ say: 'As I said [1].' }] },
  ]);
  expect((await agent.ask('c', 'Do you deliver?')).body.text).toBe('In two days [1].');
  const again = chunksOf((await agent.ask('c', 'Sure?', eventStream)).body);
  expect(textOf(again)).toBe('As I said.');
  expect(ofType(again, 'source-url')).toEqual([]);
});

test('an agent that knows nothing has nothing to search, and says what it likes', async () => {
  const agent = await knowing(looking('x', 'See list[7] and [1].'), []);
  expect((await agent.ask('c', 'x')).body.text).toBe(
    'I cannot use search_knowledge here.See list[7] and [1].',
  );
  const { body } = await service.settings('POST', '/sources', { agentId: agent.agentId, ...shop });
  expect((await agent.ask('c', 'x')).body.text).toBe('See list and.');
  expect((await service.settings('DELETE', `/sources/${body.id}`)).status).toBe(204);
  expect((await agent.ask('c', 'x')).body.text).toMatch(/^I cannot use/);
});

test('a source that is changed is found as it is now, and its kind stays', async () => {
  const text = '# House rules\n\nThe garden is closed in winter.\n\n## Pets\n\nDogs stay outside.';
  const agent = await knowing(looking('dogs', '{{result}} [1]'), [
    { kind: 'text', name: 'Rules', text, url: 'https://shop.example/rules' },
  ]);
  const path = `/sources/${agent.ids[0]}`;
  expect((await agent.ask('a', 'Dogs?')).body.text).toContain('"title":"Rules › House rules › Pets"');
  const patched = await service.settings('PATCH', path, {
    text: 'Cats and dogs may come in.',
    language: 'en',
  });
  expect(patched.body).toMatchObject({
    kind: 'text',
    language: 'en',
    reading: { status: 'read', passages: 1 },
  });
  const answer = (await agent.ask('b', 'Dogs?')).body.text;
  expect(answer).toContain('Cats and dogs may come in.');
  expect(answer).not.toContain('outside');
  const refused = await service.settings('PATCH', path, { entries: shop.entries });
  expect([refused.status, refused.body.issues]).toEqual([
    400,
    [{ path: [], message: 'Unrecognized key: "entries"' }],
  ]);
  expect((await service.settings('GET', path)).body).toEqual(patched.body);
});

test('no agent finds what another knows, and a source goes with its agent', async () => {
  const stranger = await knowing(looking('deliver', 'Found {{result}}'), [
    { kind: 'text', name: 'Other', text: 'Something else.' },
  ]);
  const agent = await knowing(looking('deliver', '[1]'));
  expect((await stranger.ask('c', 'x')).body.text).toContain('Nothing was found');
  expect((await service.settings('DELETE', `/agents/${agent.agentId}`)).status).toBe(204);
  expect((await service.settings('GET', `/sources/${agent.ids[0]}`)).status).toBe(404);
});

const upload = (agentId: string, filename: string, content: string) =>
  service.upload(`/source-files?${new URLSearchParams({ agentId, filename }).toString()}`, content);

test('a file is known by its text, or refused with the reason', async () => {
  const agent = await knowing(looking('heron', '{{result}}'), []);
  const sent = await upload(agent.agentId, 'birds.md', '# Birds\n\nA heron stands still.');
  expect([sent.status, sent.body]).toEqual([
    201,
    expect.objectContaining({
      kind: 'file',
      name: 'birds.md',
      size: 30,
      reading: expect.objectContaining({ status: 'read', pages: 1, passages: 1, problems: [] }),
    }),
  ]);
  const path = `/sources/${sent.body.id}`;
  expect((await agent.ask('a', 'Heron?')).body.text).toContain(
    '"title":"Birds","text":"A heron stands still."',
  );
  // Nobody has the file any more: what is known of it stays.
  expect((await service.settings('POST', `${path}/read`)).body.reading).toEqual(sent.body.reading);
  expect((await service.settings('PATCH', path, { name: 'Our birds' })).body).toMatchObject({
    name: 'Our birds',
    reading: sent.body.reading,
  });
  const refused = await upload(agent.agentId, 'birds.pdf', '%PDF-1.7 and nothing else');
  expect([refused.status, refused.body.issues]).toEqual([
    400,
    [{ path: ['file'], message: 'It could not be read: it is damaged.' }],
  ]);
  const large = await upload(agent.agentId, 'birds.txt', 'x'.repeat(20 * 1_024 * 1_024 + 1));
  expect([large.status, large.body.error]).toEqual([413, 'The file is larger than 20 MB. Send it in parts.']);
  expect((await service.settings('GET', `/sources?agentId=${agent.agentId}`)).body.items).toHaveLength(1);
  expect((await service.settings('DELETE', path)).status).toBe(204);
  expect((await agent.ask('b', 'Heron?')).body.text).toMatch(/^I cannot use/);
});

test('files that come slowly keep their tenant waiting, and nobody else', async () => {
  const [agent, other] = [await service.agent([]), await service.agent([])];
  const query = new URLSearchParams({ agentId: agent.agentId, filename: ' ' }).toString();
  const begun = [1, 2, 3].map(() => {
    const request = http.request(`${service.url}/api/v1/settings/source-files?${query}`, {
      agent: false,
      method: 'POST',
      headers: { authorization: `Bearer ${service.adminToken}`, 'content-type': 'text/plain' },
    });
    request.write('Slow.');
    return { request, status: once(request, 'response').then(([{ statusCode }]) => Number(statusCode)) };
  });
  expect(await Promise.race(begun.map(({ status }) => status))).toBe(429);
  expect((await upload(other.agentId, 'more.md', 'More.')).status).toBe(201);
  for (const { request } of begun) request.end();
  const statuses = await Promise.all(begun.map(({ status }) => status));
  expect(statuses.filter((status) => status === 201)).toHaveLength(2);
  const { items } = (await service.settings('GET', `/sources?agentId=${agent.agentId}`)).body;
  expect(items.map(({ name }: { name: string }) => name)).toContain('File');
});

test('answers go on to find a place once full sources of them were renamed or removed', async () => {
  const agent = await service.agent([]);
  const path = `/agents/${agent.agentId}/questions/answer`;
  const answer = async (question: string) =>
    service.settings('POST', path, { questionId: 'gone', question, answer: 'Yes.' });
  const entries = Array.from({ length: maxEntries }, (_, n) => ({ question: `No. ${n}?`, answer: 'No.' }));
  const fill = async (id: string, name: string) =>
    expect((await service.settings('PATCH', `/sources/${id}`, { name, entries })).status).toBe(200);
  const first = await answer('One?');
  await fill(first.body.id, 'Kept');
  const second = await answer('Two?');
  expect([second.status, second.body.id === first.body.id]).toEqual([201, false]);
  await fill(second.body.id, second.body.name);
  const third = await answer('Three?');
  await fill(third.body.id, third.body.name);
  await service.settings('DELETE', `/sources/${first.body.id}`);
  for (const question of ['Four?', 'Five?']) {
    const next = await answer(question);
    expect([next.status, next.body.id]).toEqual([201, first.body.id]);
  }
  await fill(first.body.id, 'Kept');
  await service.settings('DELETE', `/sources/${second.body.id}`);
  expect((await answer('Six?')).status).toBe(201);
});

test('what no source answers is a question until somebody answers it', async () => {
  const agent = await knowing(
    [
      { when: 'deliver', steps: [search('deliver'), { say: 'In two days [1].' }] },
      { when: 'unicorns', steps: [search('unicorns'), { say: '{{result}}' }] },
      { when: 'dragons', steps: [search('deliver'), { say: 'Who knows.' }] },
      { steps: [{ say: 'Hello.' }] },
    ],
    [shop],
  );
  const path = `/agents/${agent.agentId}/questions`;
  const questions = async () => (await service.settings('GET', path)).body.items;
  await agent.ask('a', 'Do you deliver?');
  await agent.ask('a', 'Good morning');
  expect(await questions()).toEqual([]);
  await agent.ask('a', 'Do you sell unicorns?');
  await agent.ask('b', 'do you sell  unicorns');
  const [asked, ...others] = await questions();
  expect([asked, others]).toEqual([
    {
      id: expect.any(String),
      question: 'do you sell  unicorns',
      asked: 2,
      lastAskedAt: expect.any(String),
      sessionId: expect.any(String),
    },
    [],
  ]);
  const answer = (text: string, id: string = asked.id) =>
    service.settings('POST', `${path}/answer`, {
      questionId: id,
      question: 'Do you sell unicorns?',
      answer: text,
    });
  // Ten people who answer at the same moment begin one source, not ten.
  const first = Array.from({ length: 10 }, (_, index) => answer(`Only plush unicorns, says ${index}.`));
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual(Array<number>(10).fill(201));
  expect(await questions()).toEqual([]);
  expect((await agent.ask('c', 'Do you sell unicorns?')).body.text).toContain('Only plush unicorns');
  await agent.ask('c', 'Are there dragons?');
  const [dragons] = await questions();
  expect(dragons).toMatchObject({ question: 'Are there dragons?', asked: 1 });
  // A further answer goes to where the first one went.
  const { body } = await answer('And woollen ones.', 'gone');
  expect(body).toMatchObject({ kind: 'faq', name: 'Answered questions' });
  expect(body.entries).toHaveLength(11);
  expect((await service.settings('POST', `${path}/dismiss`, { questionId: dragons.id })).status).toBe(204);
  expect(await questions()).toEqual([]);
  const usage = `/usage?tenantId=${agent.tenantId}`;
  // Midnight may have passed meanwhile.
  const { days } = (await service.settings('GET', usage)).body as UsageView;
  expect(days.reduce((sum, day) => sum + day.unansweredQuestions, 0)).toBe(3);
  const csv = String((await service.settings('GET', `${usage}&format=csv`)).body).split('\r\n');
  expect(csv[0]).toMatch(/,unanswered_questions$/);
  expect(csv.slice(1, -1).reduce((sum, line) => sum + Number(line.split(',').at(-1)), 0)).toBe(3);
});
