import { expect, test } from 'vitest';
import {
  type PostInit,
  chatPath,
  chatService,
  chunksOf,
  eventStream,
  ofType,
  plainText,
  textOf,
  userTexts,
} from '../../testing/chat-service.ts';
import { identitySecret, visitorToken, visitorTokenHeader } from '../../testing/visitor-token.ts';

const service = await chatService();
const script = [
  { when: '^silent', steps: [{ call: 'hold' }, { say: 'Got {{result}}.' }] },
  { steps: [{ say: 'Wait. ' }, { call: 'hold' }, { say: 'Got {{result}}.' }] },
];

/** A Chat turn that has begun and waits for its tool. */
async function held(
  text: string,
  kind: 'secret' | 'publishable',
  init: (agentId: string) => Promise<PostInit>,
) {
  const path = `held-${(turns += 1)}`;
  const tools = [{ name: 'hold', request: { method: 'POST', url: `${service.endpoint.url}/${path}` } }];
  const agent = await service.agent(script, { tools, agent: { identity: { secret: identitySecret } } });
  const key = await agent.key(kind);
  const reply = agent.post({ id: 'c', text }, { key: key.key, ...(await init(agent.agentId)) });
  return { agent, key, reply, call: await service.endpoint.call(`/${path}`) };
}
let turns = 0;

const asIs = (init: PostInit) => async () => init;

test.each([
  ['regenerated', 'POST', '/regenerate', undefined],
  ['deleted', 'DELETE', '', undefined],
  ['detached from its agent', 'PATCH', '', { agentId: null }],
])(
  'a Chat reply of every mode ends when its key is %s, and so does its turn',
  async (_, method, suffix, body) => {
    const json = await held('silent', 'secret', asIs({}));
    const text = await held('speak', 'secret', asIs(plainText));
    const events = await held('speak', 'secret', asIs(eventStream));
    for (const { key } of [json, text, events])
      expect((await service.settings(method, `/keys/${key.id}${suffix}`, body)).status).toBeLessThan(300);
    const refused = await json.reply;
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ ok: false, code: 'UNAUTHORIZED' });
    await expect((await text.reply).text()).rejects.toThrow();
    const chunks = chunksOf(await (await events.reply).text());
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText: 'The answer was interrupted.' });
    await Promise.all([json, text, events].map(({ call }) => call.closed));
  },
);

test('a Chat reply ends when its tenant is deleted', async () => {
  const { agent, reply } = await held('silent', 'secret', asIs({}));
  await service.settings('DELETE', `/tenants/${agent.tenantId}`);
  // Its keys and its agent go with it: whichever the reply hears of first ends it.
  const ended = await reply;
  const { code } = (await ended.json()) as { code: string };
  expect([
    [401, 'UNAUTHORIZED'],
    [503, 'UNAVAILABLE'],
  ]).toContainEqual([ended.status, code]);
});

test('the Chat replies of a visitor end when their token expires, those of a secret key do not', async () => {
  const expiring = (init: PostInit) => async (agentId: string) => ({
    ...init,
    headers: { [visitorTokenHeader]: await visitorToken(agentId, { expiresIn: 4 }) },
  });
  const [events, json, server] = await Promise.all([
    held('speak', 'publishable', expiring(eventStream)),
    held('silent', 'publishable', expiring({})),
    held('speak', 'secret', expiring(eventStream)),
  ]);
  const chunks = chunksOf(await (await events.reply).text());
  expect(ofType(chunks, 'error')).toHaveLength(1);
  expect(await (await json.reply).json()).toMatchObject({ code: 'VISITOR_TOKEN_INVALID' });
  // The turn runs on for a visitor who comes back with a fresh token.
  const headers = { [visitorTokenHeader]: await visitorToken(events.agent.agentId) };
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const resumed = await fetch(`${service.url}${chatPath}/c/stream`, {
    headers: { authorization: `Bearer ${events.key.key}`, ...headers },
  });
  events.call.answer('ok');
  expect(textOf(chunksOf(await resumed.text()))).toBe('Wait. Got ok.');
  server.call.answer('ok');
  expect(chunksOf(await (await server.reply).text()).at(-1)).toMatchObject({ type: 'finish' });
});

test('a token that has expired reads no Chat reply, not even within the leeway', async () => {
  const agent = await service.agent([{ steps: [{ say: 'Hi' }] }], {
    agent: { identity: { secret: identitySecret } },
  });
  const { key } = await agent.key('publishable');
  const headers = { [visitorTokenHeader]: await visitorToken(agent.agentId, { expiresIn: -5 }) };
  const refused = await agent.ask('c', 'Hello', { key, headers, ...eventStream });
  expect(refused).toMatchObject({ status: 401, body: { code: 'VISITOR_TOKEN_INVALID' } });
  const fresh = { [visitorTokenHeader]: await visitorToken(agent.agentId) };
  await agent.ask('c', 'Again', { key, headers: fresh });
  expect(agent.prompts().map(userTexts)).toEqual([['Again']]);
  expect((await agent.ask('c', 'Hello', { headers })).status).toBe(200);
});
