import { inputRequestSchema } from '@parley/protocol/ask';
import { beforeAll, expect, test } from 'vitest';
import { request as ask } from '../../testing/test-service.ts';
import { type SharedService, asked, dataOf, said, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const options = [
  { id: 'red', label: 'Crimson' },
  { id: 'blue', label: 'Navy' },
];
const colours = { prompt: 'Which colours?', options, multiple: true, allowFreeform: true };
const order = {
  prompt: 'What may we send you?',
  fields: [
    { name: 'email', label: 'E-mail', type: 'email', required: true },
    { name: 'colour', label: 'Colour', type: 'select', options },
    { name: 'count', label: 'How many', type: 'number', minimum: 1 },
    { name: 'gift', label: 'A gift', type: 'checkbox' },
    { name: 'text', label: 'Note', type: 'multiline' },
  ],
};

/** A session whose agent has asked this. */
async function question(input: object) {
  const agent = await service.agent([{ steps: [{ ask: input }, { say: 'Got {{result}}.' }] }]);
  const session = await agent.visitor.start('go');
  const [request] = asked(await session.log(1));
  return { agent, session, request: inputRequestSchema.parse(request) };
}

/** What the model made of an answer. */
async function reply(input: object, answer: { text?: string; optionId?: string }) {
  const { session, request } = await question(input);
  await session.send({ inputResponses: [{ requestId: request.requestId, ...answer }] });
  const events = await session.log(2);
  expect(dataOf(events, 'input.answered')).toMatchObject([{ requestId: request.requestId, ...answer }]);
  return said(events);
}

test('a question with several choices keeps to the request every client knows', async () => {
  const { request } = await question(colours);
  expect(request).toEqual({
    requestId: request.action.callId,
    kind: 'question',
    prompt: 'Which colours?',
    display: 'text',
    allowFreeform: true,
    options,
    action: {
      kind: 'tool-call',
      callId: expect.any(String),
      toolName: 'ask_question',
      input: colours,
    },
  });
});

test('so does a form', async () => {
  const { request } = await question(order);
  expect(request).toEqual({
    requestId: request.action.callId,
    kind: 'question',
    prompt: 'What may we send you?',
    display: 'text',
    action: { kind: 'tool-call', callId: expect.any(String), toolName: 'ask_question', input: order },
  });
});

test('the model reads what was chosen as a list', async () => {
  expect(await reply(colours, { text: '["red", {"other": "teal"}]' })).toEqual([
    'Got ["red",{"other":"teal"}].',
  ]);
  expect(await reply(colours, { text: '[]' })).toEqual(['Got [].']);
});

test('a client that lets one option be chosen answers the question, too', async () => {
  expect(await reply(colours, { optionId: 'blue' })).toEqual(['Got ["blue"].']);
});

test('the model reads a form by the names of its fields', async () => {
  const values = { email: 'ida@example.com', colour: 'red', count: 2, gift: true, text: 'Soon' };
  expect(await reply(order, { text: JSON.stringify(values) })).toEqual([`Got ${JSON.stringify(values)}.`]);
});

test('an answer of one field is a form, whatever the field is called', async () => {
  expect(await reply(order, { text: '{"text": "Soon"}' })).toEqual(['Got {"text":"Soon"}.']);
});

test.each([
  ['words', 'red and a bit of blue'],
  ['JSON of another shape', '42'],
  ['an object for a list', '{"colour":"red"}'],
  ['U+0000 in disguise', '["\\u0000"]'],
  ['nesting without end', `${'['.repeat(100)}${']'.repeat(100)}`],
])('%s: the model reads what was typed', async (_what, text) => {
  expect(await reply(colours, { text })).toEqual([`Got ${text}.`]);
});

test('a list is no form', async () => {
  expect(await reply(order, { text: '["ida@example.com"]' })).toEqual(['Got ["ida@example.com"].']);
});

test('half a character in an answer is replaced', async () => {
  expect(await reply(colours, { text: '["a\\ud800"]' })).toEqual(['Got ["a\ufffd"].']);
});

test('a message answers a form and a choice of several, as every question a client has a text field for', async () => {
  for (const input of [order, { ...colours, allowFreeform: false }]) {
    const { session } = await question(input);
    await session.send({ message: 'ida@example.com' });
    const events = await session.log(2);
    expect(dataOf(events, 'input.answered')).toMatchObject([{ text: 'ida@example.com' }]);
    expect(said(events)).toEqual(['Got ida@example.com.']);
  }
});

test('a plain question takes JSON as the text it is', async () => {
  expect(await reply({ prompt: 'Why?' }, { text: '{"a":1}' })).toEqual(['Got {"a":1}.']);
  expect(await reply({ prompt: 'Which?', options }, { optionId: 'red' })).toEqual(['Got red.']);
});

test('a question that makes no sense is not asked', async () => {
  const script = [{ steps: [{ ask: { ...order, options } }, { say: 'Got {{result}}' }] }];
  const { visitor } = await service.agent(script);
  const events = await (await visitor.start('go')).log(1);
  expect(asked(events)).toEqual([]);
  expect(said(events)).toEqual([
    'Got The question is not valid. fields: a form has no options beside its fields',
  ]);
});

test('the transcript names what was chosen and filled in', async () => {
  const transcript = async (input: object, text: string) => {
    const { agent, session, request } = await question(input);
    await session.send({ inputResponses: [{ requestId: request.requestId, text }] });
    await session.log(2);
    const { headers, base } = agent.visitor;
    return String((await ask(`${base}/${session.id}/transcript`, { headers })).body);
  };
  expect(await transcript(colours, '["blue", {"other": "teal"}]')).toContain(
    'Visitor answered:\n    - Navy\n    - teal\n',
  );
  expect(await transcript(order, '{"email": "ida@example.com", "colour": "red", "count": 2}')).toContain(
    'Visitor answered:\n    E-mail: ida@example.com\n    Colour: Crimson\n    How many: 2\n',
  );
});

test('on the Chat interface the output of a form is the form', async () => {
  const agent = await service.agent([{ steps: [{ ask: order }, { say: 'Got {{result}}.' }] }], {
    agent: { approvalsOnChat: true },
  });
  const send = (body: object, accept: string) =>
    ask(`${service.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.secret.key}`, 'content-type': 'application/json', accept },
      body: JSON.stringify({ id: 'c', ...body }),
    });
  const { body } = await send({ text: 'go' }, 'text/event-stream');
  const toolCallId = /"toolCallId":"([^"]+)"/.exec(String(body))?.[1];
  const output = { text: 'Soon', email: 'ida@example.com' };
  const part = { type: 'tool-ask_question', toolCallId, state: 'output-available', input: order, output };
  const answer = await send({ message: { id: 'm', role: 'assistant', parts: [part] } }, 'application/json');
  expect(answer.body.text).toBe(`Got ${JSON.stringify(output)}.`);
});
