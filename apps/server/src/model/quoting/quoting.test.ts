import { expect, test } from 'vitest';
import { chatService, chunksOf, eventStream, ofType, textOf } from '../../testing/chat-service.ts';

const service = await chatService();

const handbook = {
  kind: 'faq',
  name: 'Shop',
  entries: [
    {
      question: 'When are you open?',
      answer: 'We open at nine and close at six.',
      url: 'https://a.example/hours',
    },
    { question: 'Do you deliver?', answer: 'We deliver within two days [4].' },
    {
      question: 'Wie lange ist die Rückgabefrist?',
      answer: 'Sie können alles dreißig Tage lang zurückgeben.',
    },
    { question: '送料はいくらですか', answer: '送料は五百円です。' },
  ],
};

async function quotingAgent(sources: readonly object[] = [handbook]) {
  const agent = await service.agent([], { agent: { model: { provider: 'quoting' } } });
  for (const source of sources) {
    const { status } = await service.settings('POST', '/sources', { agentId: agent.agentId, ...source });
    expect(status).toBe(201);
  }
  return agent;
}

test('answers in the words of what it found, with the source, and says that it quotes', async () => {
  const agent = await quotingAgent();
  const chunks = chunksOf((await agent.ask('c', 'When do you open?', eventStream)).body);
  expect(textOf(chunks)).toBe(
    'I can only quote what I have read. This fits best:\n\n> We open at nine and close at six. [1]',
  );
  expect(ofType(chunks, 'source-url')).toMatchObject([{ url: 'https://a.example/hours' }]);
  expect((await agent.ask('c', 'And do you deliver?')).body.text).toContain(
    '> We deliver within two days. [1]',
  );
  expect((await agent.ask('d', 'And do you deliver?')).body.text).toBe(
    (await agent.ask('e', 'And do you deliver?')).body.text,
  );
});

test.each([
  ['Wie lange kann ich etwas zurückgeben?', 'Ich kann nur zitieren', 'dreißig Tage'],
  ['送料を教えてください', '引用', '五百円'],
  ['¿Hay algo sobre elefantes?', 'no he encontrado nada', ''],
  ['Où sont les éléphants ?', 'je n’ai rien trouvé', ''],
  ['Onde estão meus elefantes?', 'não encontrei nada', ''],
  ['大象在哪里', '没有找到', ''],
  ['أين الأفيال؟', 'لم أجد', ''],
  ['איפה הפילים?', 'לא מצאתי', ''],
  ['Elephants, please', 'I found nothing', ''],
  ['And when are the elephants here?', 'I found nothing', ''],
])('%j is answered in its language', async (question, phrase, quote) => {
  const agent = await quotingAgent();
  const { text } = (await agent.ask('c', question)).body;
  expect(text).toContain(phrase);
  expect(text).toContain(quote);
});

test('says that there is nothing where its agent knows nothing', async () => {
  const agent = await quotingAgent([]);
  expect((await agent.ask('c', 'When do you open?')).body.text).toBe(
    'I can only quote what I have read, and I found nothing about that.',
  );
});

test('of a long passage it quotes the sentences that are asked about', async () => {
  const filler = 'The house was built in the year of the flood and has a red roof. '.repeat(8);
  const text = `${filler}The cellar key hangs behind the mirror. ${filler}`;
  const agent = await quotingAgent([{ kind: 'text', name: 'House', text }]);
  const answer: string = (await agent.ask('c', 'Where is the key of the cellar?')).body.text;
  expect(answer).toContain('The cellar key hangs behind the mirror.');
  expect(answer.length).toBeLessThan(1_100);
});
