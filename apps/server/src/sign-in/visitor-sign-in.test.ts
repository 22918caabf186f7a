import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { ampleLimits } from '../testing/ample-limits.ts';
import { request } from '../testing/test-service.ts';
import { testStore } from '../testing/test-store.ts';
import { as, identitySecret } from '../testing/visitor-token.ts';
import { dataOf, type Reader, said, typesOf, Visitor, VisitorSession } from '../testing/visitor.ts';
import { startAuthorizationServer } from './testing/authorization-server.ts';
import { startGuardedTools } from './testing/guarded-tools.ts';
import { SignInBrowser } from './testing/sign-in-browser.ts';

const authorization = await startAuthorizationServer();
const tools = await startGuardedTools(authorization.issuer, authorization.accepts);
const stored = await testStore(afterAll);
const config = readConfig({
  ...stored.environment,
  PORT: '0',
  ADMIN_TOKEN: 'a'.repeat(43),
  EGRESS_ALLOW: `${authorization.host},${tools.host}`,
});
const start = () => startService(config, createLogger('silent'));
let service = await start();
afterAll(async () => {
  authorization.close();
  tools.close();
  await service.stop();
});
const isBack = ({ pathname }: URL) => pathname.endsWith('/connections/callback');

const settings = async (method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${'a'.repeat(43)}`, 'content-type': 'application/json' };
  const url = `${service.url}/api/v1/settings${path}`;
  const sent = body !== undefined && { body: JSON.stringify(body) };
  const answer = await request(url, { method, headers, ...sent });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer;
};

/** Whoever has the admin token signs in, so that the tools are known, and lets the agent use them. */
async function signedInAgent() {
  const { id: tenantId } = (await settings('POST', '/tenants', { name: 'Muster & Söhne' })).body;
  const script = [{ when: 'go', steps: [{ call: 'crm__whoami', input: {} }, { say: '{{result}}' }] }];
  const { id: agentId } = (
    await settings('POST', '/agents', {
      tenantId,
      name: 'Ada',
      model: { provider: 'scripted', script },
      identity: { secret: identitySecret },
      limits: ampleLimits({}),
    })
  ).body;
  const create = { agentId, kind: 'mcp', name: 'crm', url: tools.url, signIn: 'visitor' };
  const path = `/connections/${(await settings('POST', '/connections', create)).body.id}`;
  const browser = new SignInBrowser();
  const begun = await settings('POST', `${path}/sign-in`);
  const { url } = begun.body;
  browser.keep(
    new URL(url).searchParams.get('redirect_uri') ?? '',
    new Response(null, { headers: begun.headers }),
  );
  await browser.open(await browser.signIn(url, isBack), {
    isThere: ({ pathname }) => pathname === '/console',
  });
  const [{ name, fingerprint }] = (await settings('GET', path)).body.tools;
  await settings('PATCH', path, { tools: [{ name, fingerprint }] });
  const key = async (kind: string) =>
    String((await settings('POST', '/keys', { tenantId, agentId, kind, allowMissingOrigin: true })).body.key);
  return { agentId, secret: await key('secret'), publishable: await key('publishable') };
}

const agent = await signedInAgent();

const asks = async (reader: Reader, times = 1) => {
  await reader.until(({ events }) => dataOf(events, 'authorization.required').length >= times);
  return dataOf(reader.events, 'authorization.required')[times - 1]!;
};

/** Signs in where the card leads, up to what the service says of it. */
async function signIn({
  authorization: { url } = {},
}: {
  authorization?: Record<string, unknown> | undefined;
}) {
  const browser = new SignInBrowser();
  const page = await browser.open(String(url));
  const sent = await browser.open(page.url, {
    form: new URLSearchParams(),
    isThere: ({ host }) => host === authorization.host,
  });
  const done = await browser.open(await browser.signIn(sent.url, isBack));
  return { question: page.text, done: done.text };
}

test('a turn waits until its visitor has signed in, goes on by itself, and deleting the session forgets it', async () => {
  const chat = await request(`${service.url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'c', text: 'go' }),
  });
  expect(chat.body.text).toBe('I cannot use crm__whoami here.');

  const session = await new Visitor(service.url, agent.publishable).start('go');
  const reader = await session.follow('?soFar=0');
  const required = await asks(reader);
  expect(required).toMatchObject({ name: 'crm', authorization: { displayName: 'crm' } });
  expect(tools.calledWith).toEqual([]);
  const { question, done } = await signIn(required);
  expect(question).toContain('Muster &#38; Söhne');
  expect(done).toContain('You are signed in');
  for (const [asked, language, text] of [
    ['he-IL, en;q=0.5', '<html lang="he" dir="rtl">', 'כניסה אל crm'],
    ['xx, de;q=0.8', '<html lang="de" dir="ltr">', 'Bei crm anmelden'],
    ['xx', '<html lang="en" dir="ltr">', 'Sign in to crm'],
  ] as const) {
    const headers = { 'accept-language': asked };
    const page = await request(String(required.authorization?.['url']), { headers });
    // Its icon, which is empty, keeps browsers from asking for another one.
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; img-src data:; ");
    expect(page.body).toContain('<link rel="icon" href="data:,">');
    expect(page.body).toContain(language);
    expect(page.body).toContain(text);
    expect(page.body).toContain('Muster &#38; Söhne');
  }
  const events = await reader.boundaries(1);
  expect(typesOf(events).slice(5, -5)).toEqual([
    'actions.requested',
    'authorization.required',
    'authorization.completed',
    'action.result',
    'step.completed',
    'step.started',
  ]);
  expect(dataOf(events, 'authorization.completed')).toMatchObject([{ name: 'crm', outcome: 'authorized' }]);
  expect(said(events).at(-1)).toContain('you are ada');
  await session.send({ message: 'go' });
  expect(dataOf(await session.log(2), 'authorization.required')).toHaveLength(1);

  // Another session of somebody unknown is somebody else.
  const other = await new Visitor(service.url, agent.publishable).start('go');
  const others = await other.follow('?soFar=0');
  await asks(others);
  await other.send({ message: 'never mind' });
  expect(dataOf(await others.boundaries(2), 'authorization.completed')).toMatchObject([
    { outcome: 'declined' },
  ]);
  expect(said(others.events)[0]).toBe('The user did not want to sign in to crm, so the call was not made.');

  const token = tools.calledWith.at(-1);
  expect(await authorization.accepts(token, tools.url)).toBe(true);
  const removed = await request(`${session.visitor.base}/${session.id}`, {
    method: 'DELETE',
    headers: session.visitor.headers,
    body: JSON.stringify({ continuationToken: session.token }),
  });
  expect(removed.status, JSON.stringify(removed.body)).toBeLessThan(300);
  expect(await authorization.accepts(token, tools.url)).toBe(false);
  expect(await stored.sql('SELECT id FROM sign_ins WHERE session_id = ?', session.id)).toEqual([]);
});

test('a visitor who is known signs in once for all sessions, whatever becomes of the process meanwhile', async () => {
  const visitor = async (name: string) => {
    const known = new Visitor(service.url, agent.publishable);
    Object.assign(known.headers, await as(agent.agentId, name));
    return known;
  };
  const before = await (await visitor('ada')).start('go');
  const required = await asks(await before.follow('?soFar=0'));
  await service.stop();
  service = await start();

  const session = new VisitorSession(await visitor('ada'), before.id, before.token);
  const reader = await session.follow('?soFar=0');
  // It is another port than before; an address that the service has been given stays.
  const { pathname } = new URL(String(required.authorization?.['url']));
  await signIn({ authorization: { url: service.url.replace('127.0.0.1', 'localhost') + pathname } });
  const events = await reader.boundaries(1);
  expect(dataOf(events, 'authorization.required')).toHaveLength(1);
  expect(said(events).at(-1)).toContain('you are ada');

  const later = await (await visitor('ada')).start('go');
  const again = await later.log(1);
  expect([typesOf(again).includes('authorization.required'), said(again).at(-1)]).toEqual([
    false,
    expect.stringContaining('you are ada'),
  ]);
  const stranger = await (await visitor('bo')).start('go');
  await asks(await stranger.follow('?soFar=0'));
  await stranger.cancel();
});
