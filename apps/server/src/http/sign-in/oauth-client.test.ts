import { afterAll, expect, test } from 'vitest';
import { startAuthorizationServer } from '../../sign-in/testing/authorization-server.ts';
import { startGuardedTools } from '../../sign-in/testing/guarded-tools.ts';
import { SignInBrowser } from '../../sign-in/testing/sign-in-browser.ts';
import { signedInMember } from '../../testing/signed-in-member.ts';
import { provision, testService } from '../../testing/test-service.ts';

const publicUrl = 'https://chat.example';
const path = '/parley/v1/oauth-client.json';
const document = {
  client_id: `${publicUrl}${path}`,
  client_name: 'Parley',
  client_uri: publicUrl,
  redirect_uris: [`${publicUrl}/parley/v1/connections/callback`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  application_type: 'web',
  token_endpoint_auth_method: 'none',
};

/** Where the service is asked instead of at the address that browsers know it by. */
let reached = '';
const authorization = await startAuthorizationServer({
  fetchDocument: (url) => fetch(url.replace(publicUrl, reached)),
});
const tools = await startGuardedTools(authorization.issuer, authorization.accepts);
afterAll(() => {
  authorization.close();
  tools.close();
});

const start = () =>
  testService({ PUBLIC_URL: publicUrl, EGRESS_ALLOW: `${authorization.host},${tools.host}` });

test('anybody reads who the service is to authorization servers, and nothing that is secret', async () => {
  const service = await start();
  const headers: Record<string, string>[] = [
    {},
    { authorization: 'Bearer nothing' },
    { origin: 'https://elsewhere.example' },
    { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'http' },
  ];
  for (const sent of headers) {
    const answer = await service.call(path, { headers: sent });
    expect([answer.status, answer.body]).toEqual([200, document]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await service.call(path, { method })).status).toBe(405);
});

test('an authorization server of others knows the service by what it reads there', async () => {
  const service = await start();
  reached = service.url;
  const { tenantId, agentId } = await provision(service);
  const create = { agentId, kind: 'mcp', name: 'crm', url: tools.url, signIn: 'agent' };
  const { body } = await service.settings('POST', '/connections', create);
  const member = await signedInMember(service, { role: 'admin', tenantId });
  const { body: begun } = await member.call(service, 'POST', `/connections/${body.id}/sign-in`);
  expect(new URL(begun.url).searchParams.get('client_id')).toBe(document.client_id);
  const back = await new SignInBrowser().signIn(begun.url, ({ origin }) => origin === publicUrl);
  expect(back).toMatch(/^https:\/\/chat\.example\/parley\/v1\/connections\/callback\?code=/);
  expect(authorization.asked).not.toContain('POST /reg');
});
