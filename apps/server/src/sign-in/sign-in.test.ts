import { afterAll, expect, test } from 'vitest';
import { chatService } from '../testing/chat-service.ts';
import { signedInMember } from '../testing/signed-in-member.ts';
import { startAuthorizationServer } from './testing/authorization-server.ts';
import { startGuardedTools } from './testing/guarded-tools.ts';
import { SignInBrowser } from './testing/sign-in-browser.ts';

const authorization = await startAuthorizationServer();
const tools = await startGuardedTools(authorization.issuer, authorization.accepts);
afterAll(() => {
  authorization.close();
  tools.close();
});
const service = await chatService({}, undefined, undefined, [authorization.host, tools.host]);
const isBack = ({ pathname }: URL) => pathname.endsWith('/connections/callback');

async function connected(fields: Record<string, unknown> = {}) {
  const agent = await service.agent([{ steps: [{ call: 'crm__whoami', input: {} }, { say: '{{result}}' }] }]);
  const create = {
    agentId: agent.agentId,
    kind: 'mcp',
    name: 'crm',
    url: tools.url,
    signIn: 'agent',
    ...fields,
  };
  const { status, body } = await service.settings('POST', '/connections', create);
  expect(status, JSON.stringify(body)).toBe(201);
  return { agent, path: `/connections/${body.id}`, body };
}

/** A member of the tenant, and the browser that they are signed in to the console with. */
async function member(tenantId: string) {
  const browser = new SignInBrowser();
  const signedIn = await signedInMember(service, { role: 'admin', tenantId });
  return {
    memberId: signedIn.id,
    memberName: signedIn.name,
    browser,
    begin: async (path: string) => {
      const url = `${service.url}/api/v1/settings${path}/sign-in`;
      // oxlint-disable-next-line eslint/no-restricted-globals -- a browser asks from outside
      const response = await fetch(url, { method: 'POST', headers: signedIn.headers });
      const body = (await response.json()) as { url: string };
      expect(response.status, JSON.stringify(body)).toBe(200);
      // The service is known to browsers under another name than to this test.
      browser.keep(body.url, response);
      browser.keep(new URL(body.url).searchParams.get('redirect_uri') ?? '', response);
      return body.url;
    },
  };
}

test('a member signs in once, the agent uses its tools, and signing out revokes it', async () => {
  const { agent, path, body } = await connected();
  expect(body).toMatchObject({
    status: 'failed',
    signedIn: false,
    problem: 'Nobody has signed in to it yet.',
  });
  const { browser, begin, memberName } = await member(agent.tenantId);

  // Somebody else than the service says who it is there. Nothing of it is shown again, or to another host.
  const secret = {
    clientId: 'by-hand',
    clientIssuer: authorization.issuer,
    clientSecret: 'canary-of-a-client',
  };
  const { body: given } = await service.settings('PATCH', path, secret);
  expect(given).toMatchObject({ clientId: 'by-hand', clientSecret: { set: true, last4: 'ient' } });
  expect(new URL(await begin(path)).searchParams.get('client_id')).toBe('by-hand');
  const unfit = [
    { clientId: null, clientSecret: 'x' },
    { clientIssuer: null },
    { clientIssuer: 'ftp://issuer.example' },
    { signIn: 'none', clientId: 'x' },
  ];
  for (const each of unfit) expect((await service.settings('PATCH', path, each)).status).toBe(400);
  // What is secret at one authorization server may not be shown to another.
  const { body: other } = await service.settings('PATCH', path, { clientIssuer: 'https://issuer.example' });
  expect(other).toMatchObject({ clientId: 'by-hand', clientIssuer: 'https://issuer.example' });
  expect(other).not.toHaveProperty('clientSecret');
  await service.settings('PATCH', path, secret);
  const elsewhere = { url: `http://${authorization.host}/mcp` };
  const { body: moved } = await service.settings('PATCH', path, elsewhere);
  expect(moved).not.toHaveProperty('clientId');
  expect(moved).not.toHaveProperty('clientIssuer');
  expect(moved).not.toHaveProperty('clientSecret');
  await service.settings('PATCH', path, { url: tools.url });

  const url = await begin(path);
  const asked = Object.fromEntries(new URL(url).searchParams);
  expect(asked).toMatchObject({ code_challenge_method: 'S256', resource: tools.url, response_type: 'code' });
  const back = await browser.signIn(url, isBack);
  const arrived = await browser.open(back, { isThere: ({ pathname }) => pathname === '/console' });
  expect(arrived.url).toContain(`/console#/integrations${path}`);

  const { body: signedIn } = await service.settings('GET', path);
  expect(signedIn).toMatchObject({ status: 'connected', signedIn: true, problem: null });
  const [{ name, fingerprint }] = signedIn.tools;
  await service.settings('PATCH', path, { tools: [{ name, fingerprint }] });
  expect((await agent.ask('a', 'go')).body.text).toContain('you are ada');
  const token = tools.calledWith.at(-1);
  expect(await authorization.accepts(token, tools.url)).toBe(true);
  const audit = await service.settings('GET', `/audit?tenantId=${agent.tenantId}`);
  expect(JSON.stringify(audit.body)).not.toContain(token);
  expect(JSON.stringify(audit.body)).not.toContain(secret.clientSecret);
  expect(audit.body.items).toContainEqual(
    expect.objectContaining({
      actor: expect.objectContaining({ name: memberName }),
      after: { signedIn: true },
    }),
  );

  // What comes back is taken once.
  expect((await browser.open(back)).text).toContain('it has been used already');

  const { body: out } = await service.settings('DELETE', `${path}/sign-in`);
  expect(out).toMatchObject({ status: 'failed', signedIn: false });
  expect(await authorization.accepts(token, tools.url)).toBe(false);
  expect((await agent.ask('b', 'go')).body.text).toBe(
    'crm could not be used. Nobody has signed in to it yet.',
  );
});

test('whoever may change connections no longer does not sign the agent in with what was begun before', async () => {
  const { agent, path } = await connected();
  const { browser, begin, memberId } = await member(agent.tenantId);
  const back = await browser.signIn(await begin(path), isBack);
  expect((await service.settings('PATCH', `/members/${memberId}`, { role: 'viewer' })).status).toBe(200);
  expect((await browser.open(back)).text).toContain('or may not change this connection');
  expect((await service.settings('GET', path)).body).toMatchObject({ signedIn: false });
});
