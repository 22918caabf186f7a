import type { ServerResponse } from 'node:http';
import type { McpSettings } from '@parley/protocol/settings/mcp-connection';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { LocalBus } from '../bus/local-bus.ts';
import { createSecrets } from '../crypto/secrets.ts';
import { createEgress } from '../egress/egress.ts';
import { seed } from '../store/contract/settings.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import { testStore } from '../testing/test-store.ts';
import { clientId, clientMetadata, redirectUri, type ServiceAddress } from './client-metadata.ts';
import { explainFailure } from './explain-failure.ts';
import { oauthFetch } from './oauth-fetch.ts';
import { attemptMs } from './sign-in-attempts.ts';
import { SignIns } from './sign-ins.ts';
import { signInId } from './stored-sign-ins.ts';
import { startAuthorizationServer } from './testing/authorization-server.ts';
import { startGuardedTools } from './testing/guarded-tools.ts';
import { drip, pour, startHostileServer } from './testing/hostile-server.ts';
import { SignInBrowser } from './testing/sign-in-browser.ts';

const known: ServiceAddress = { publicUrl: 'https://chat.example', platform: 'parley' };
const local: ServiceAddress = { publicUrl: 'http://localhost:3000', platform: 'parley' };
const document = { client_id: clientId(known), ...clientMetadata(known), token_endpoint_auth_method: 'none' };
const authorization = await startAuthorizationServer({
  fetchDocument: (url) =>
    Promise.resolve(url === clientId(known) ? Response.json(document) : Response.error()),
});
const tools = await startGuardedTools(authorization.issuer, authorization.accepts);
const hostile = await startHostileServer();
const egress = createEgress({ allow: [authorization.host, tools.host, hostile.host] });
const stored = await testStore(afterAll);
const store = await stored.open();
await seed(store);
afterAll(async () => {
  for (const server of [authorization, tools, hostile]) server.close();
  await egress.close();
  await store.close();
});

const bus = new LocalBus((error) => {
  throw error;
});
const secrets = createSecrets(['a base of a test that is long enough']);
/** One process. */
const signIns = (address: ServiceAddress, fetch = egress.fetch, records = store.settings.signIns) =>
  new SignIns({
    records,
    connections: store.settings.connections,
    secrets,
    fetch,
    address,
    bus,
  });
const agents = { tenantId: 'tenant_1', agentId: 'agent_1', connectionId: 'connection_1' };
const holder = (visitor: string) => ({ ...agents, visitor, sessionId: null });
const by = { browser: 'browser', consoleSession: null, origin: local.publicUrl };
const mcp: McpSettings = {
  id: 'connection_1',
  agentId: 'agent_1',
  kind: 'mcp',
  name: 'crm',
  url: '',
  signIn: 'visitor',
  callsPerMinute: 60,
  tools: [],
  createdAt: '2026-01-01T00:00:00.000Z',
};
const nobody = () => Promise.resolve(true);

/** What a browser comes back with. */
async function signedIn(url: URL, address: ServiceAddress): Promise<URLSearchParams> {
  const back = await new SignInBrowser().signIn(url.href, ({ href }) =>
    href.startsWith(redirectUri(address)),
  );
  return new URL(back).searchParams;
}

const beginning = (url: string) =>
  signIns(local)
    .begin(holder('eve'), url, by)
    .then(String, ({ message }: Error) => message);

test('a client is known by the document that the service serves, and else is registered, once', async () => {
  const one = signIns(known);
  const url = await one.begin(holder('ada'), tools.url, { ...by, origin: known.publicUrl });
  expect(url.searchParams.get('client_id')).toBe('https://chat.example/parley/v1/oauth-client.json');
  const { problem } = await one.complete(await signedIn(url, known), 'browser', nobody);
  expect(problem).toBeNull();
  const token = await one.token(holder('ada'), tools.url, null);
  expect(await authorization.accepts(token, tools.url)).toBe(true);
  expect(authorization.asked).not.toContain('POST /reg');
  expect(await stored.count(token)).toBe(0);

  await signIns(local).begin(holder('bob'), tools.url, by);
  await signIns(local).begin(holder('bob'), tools.url, by);
  expect(authorization.asked.filter((asked) => asked === 'POST /reg')).toHaveLength(1);
});

test('where only clients that somebody has registered are let in, the connection says which one it is', async () => {
  const client = {
    id: 'parley-by-hand',
    secret: 'canary secret of a client',
    redirectUri: redirectUri(local),
  };
  const strict = await startAuthorizationServer({ client });
  const guarded = await startGuardedTools(strict.issuer, strict.accepts);
  const out = createEgress({ allow: [strict.host, guarded.host] });
  onTestFinished(async () => {
    for (const server of [strict, guarded]) server.close();
    await out.close();
  });
  const one = signIns(local, out.fetch);
  await expect(one.begin(holder('fay'), guarded.url, by)).rejects.toThrow(
    'Register this service there with the address http://localhost:3000/parley/v1/connections/callback',
  );
  const known = {
    ...mcp,
    url: guarded.url,
    clientId: client.id,
    clientIssuer: strict.issuer,
    clientSecret: client.secret,
  };
  const { problem } = await one.complete(
    await signedIn(await one.beginAt(known, holder('fay'), by), local),
    'browser',
    nobody,
  );
  expect(problem).toBeNull();
  const first = await one.token(holder('fay'), guarded.url, null);
  const second = await one.token(holder('fay'), guarded.url, first);
  expect(await strict.accepts(second, guarded.url)).toBe(true);
  expect(second).not.toBe(first);
  expect(await stored.count(client.secret)).toBe(0);
  // With the secret of somebody else nobody is let in.
  const wrong = { ...known, clientSecret: 'another' };
  const back = await signedIn(await one.beginAt(wrong, holder('gus'), by), local);
  expect((await one.complete(back, 'browser', nobody)).problem?.message).toBe(
    `${strict.host} has forgotten this service, or was given a wrong client id or secret. Sign in again.`,
  );
});

test('the client that somebody has registered is shown to no authorization server but the one that knows it', async () => {
  const client = { clientId: 'by-hand', clientIssuer: authorization.issuer, clientSecret: 'canary' };
  const asked: string[] = [];
  const answer = (path: string, body: object) => (response: ServerResponse) => {
    asked.push(path);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const begin = (resource: object, fields: object = client) => {
    hostile.answers({
      '/.well-known/oauth-protected-resource': { resource: hostile.url, ...resource },
      '/.well-known/oauth-authorization-server': answer('metadata', {
        issuer: hostile.url,
        authorization_endpoint: `${hostile.url}/authorize`,
        token_endpoint: `${hostile.url}/token`,
        code_challenge_methods_supported: ['S256'],
      }),
    });
    return signIns(local)
      .beginAt({ ...mcp, url: hostile.url, ...fields }, holder('hal'), by)
      .then(String, ({ message }: Error) => message);
  };
  const refused = `does not name ${authorization.issuer} as its authorization server`;
  expect(await begin({ authorization_servers: [hostile.url] })).toContain(refused);
  expect(await begin({})).toContain(refused);
  expect(asked).toEqual([]);
  // Letter by letter as it names itself, and whichever of those that are named.
  expect(
    await begin(
      { authorization_servers: [authorization.issuer] },
      { ...client, clientIssuer: `${authorization.issuer}/` },
    ),
  ).toContain('does not name');
  expect(await begin({ authorization_servers: [hostile.url, authorization.issuer] })).toContain(
    `${authorization.issuer}/auth?`,
  );
  expect(asked).toEqual([]);
  expect(await begin({}, { ...client, clientIssuer: undefined })).toContain('Nobody has entered');
});

test('however many ask in however many processes, a token is renewed once, and ends with a word', async () => {
  const [one, two] = [signIns(local), signIns(local)];
  await one.complete(
    await signedIn(await one.begin(holder('cleo'), tools.url, by), local),
    'browser',
    nobody,
  );
  const first = await one.token(holder('cleo'), tools.url, null);
  const asks = [one, two, one, two, two].map((each) => each.token(holder('cleo'), tools.url, first));
  const before = authorization.asked.filter((asked) => asked === 'POST /token').length;
  const fresh = new Set(await Promise.all(asks));
  expect([fresh.size, fresh.has(first)]).toEqual([1, false]);
  expect(authorization.asked.filter((asked) => asked === 'POST /token').length - before).toBeLessThanOrEqual(
    1,
  );
  expect(await authorization.accepts([...fresh][0], tools.url)).toBe(true);

  // At another address it is worth nothing, and nobody is asked.
  await expect(two.token(holder('cleo'), `${tools.url}/other`, null)).rejects.toThrow('Nobody has signed in');
  await authorization.forget('ada');
  await expect(two.token(holder('cleo'), tools.url, [...fresh][0] ?? null)).rejects.toThrow(
    'The sign-in has ended. Sign in again.',
  );
  expect(await one.view(holder('cleo'), tools.url)).toMatchObject({ status: 'signed-out' });
});

test('a server that has forgotten this service is told of it again, and people sign in there again', async () => {
  const forgetful = await startAuthorizationServer();
  const guarded = await startGuardedTools(forgetful.issuer, forgetful.accepts);
  const out = createEgress({ allow: [forgetful.host, guarded.host] });
  onTestFinished(async () => {
    for (const server of [forgetful, guarded]) server.close();
    await out.close();
  });
  const one = signIns(local, out.fetch);
  const signIn = async () => {
    const back = await signedIn(await one.begin(holder('ivo'), guarded.url, by), local);
    return one.complete(back, 'browser', nobody);
  };
  expect((await signIn()).problem).toBeNull();
  const first = await one.token(holder('ivo'), guarded.url, null);
  await forgetful.forgetClients();
  await expect(one.token(holder('ivo'), guarded.url, first)).rejects.toMatchObject({
    code: 'signed-out',
    message: `${forgetful.host} has forgotten this service, or was given a wrong client id or secret. Sign in again.`,
  });
  expect((await signIn()).problem).toBeNull();

  // It may forget while somebody signs in, too.
  const back = await signedIn(await one.begin(holder('ivo'), guarded.url, by), local);
  await forgetful.forgetClients();
  expect((await one.complete(back, 'browser', nobody)).problem?.code).toBe('unknown-client');
  expect((await signIn()).problem).toBeNull();
});

test('a token that is renewed while the store is unavailable is stored once it can be', async () => {
  const records = store.settings.signIns;
  let failures = 0;
  const update: typeof records.update = (...change) =>
    failures-- > 0 ? Promise.reject(new StoreUnavailableError('No.')) : records.update(...change);
  const one = signIns(local, egress.fetch, { ...records, update });
  const url = await one.begin(holder('hedy'), tools.url, by);
  await one.complete(await signedIn(url, local), 'browser', nobody);
  const first = await one.token(holder('hedy'), tools.url, null);
  failures = 2;
  const fresh = await one.token(holder('hedy'), tools.url, first);
  expect(fresh).not.toBe(first);
  expect(await signIns(local).token(holder('hedy'), tools.url, null)).toBe(fresh);
  // It is worth another one in its turn.
  expect(await signIns(local).token(holder('hedy'), tools.url, fresh)).not.toBe(fresh);
});

test('what comes back is taken from the browser that was sent, once, for ten minutes, and from nobody else', async () => {
  const process = signIns(local);
  const back = await signedIn(await process.begin(holder('dan'), tools.url, by), local);
  const used = 'This sign-in was not begun in this browser, or it has been used already. Begin again.';
  await expect(process.complete(back, 'another', nobody)).rejects.toThrow(used);
  await expect(process.complete(back, null, nobody)).rejects.toThrow(used);
  const other = new URLSearchParams(back);
  other.set('state', back.get('state')!.replace(/\..*/, '.made-up'));
  await expect(process.complete(other, 'browser', nobody)).rejects.toThrow(used);

  const mixedUp = new URLSearchParams(back);
  mixedUp.set('iss', hostile.url);
  const { problem } = await process.complete(mixedUp, 'browser', nobody);
  expect(problem?.message).toBe(
    'The answer did not come from the server that was asked, so it was not used.',
  );
  await expect(process.complete(back, 'browser', nobody)).rejects.toThrow(used);

  const late = await signedIn(await process.begin(holder('dan'), tools.url, by), local);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + attemptMs + 1 });
  await expect(process.complete(late, 'browser', nobody)).rejects.toThrow('more than ten minutes');
  vi.useRealTimers();

  const url = await process.begin(holder('dan'), tools.url, { ...by, consoleSession: 'session_1' });
  const declined = new URLSearchParams({
    state: url.searchParams.get('state')!,
    error: 'access_denied',
    iss: authorization.issuer,
  });
  await expect(process.complete(declined, 'browser', () => Promise.resolve(false))).rejects.toThrow(
    'You are not signed in to the console any more',
  );
  const again = await process.begin(holder('dan'), tools.url, by);
  declined.set('state', again.searchParams.get('state')!);
  expect((await process.complete(declined, 'browser', nobody)).problem?.code).toBe('declined');
  expect(await process.view(holder('dan'), tools.url)).toEqual({
    status: 'declined',
    problem: 'The sign-in was declined.',
  });
});

test('whoever may sign in no longer once the authorization server has answered does not', async () => {
  const process = signIns(local);
  const url = await process.begin(holder('lise'), tools.url, { ...by, consoleSession: 'session_1' });
  const answers = [true, false];
  const completed = process.complete(await signedIn(url, local), 'browser', () =>
    Promise.resolve(answers.shift() ?? false),
  );
  await expect(completed).rejects.toThrow('You are not signed in to the console any more');
  // Nor is it said of the connection that something is wrong with it.
  expect(await process.view(holder('lise'), tools.url)).toEqual({ status: 'signed-out', problem: null });
});

test('whatever a server says of where to sign in costs a sentence', async () => {
  const { host, url } = hostile;
  const prm = '/.well-known/oauth-protected-resource/mcp';
  const metadata = '/.well-known/oauth-authorization-server';
  const server = {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    registration_endpoint: `${url}/reg`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  };
  const resource = { resource: `${url}/mcp`, authorization_servers: [url] };
  const said = async (paths: Parameters<typeof hostile.answers>[0]) => {
    hostile.answers({ [prm]: resource, [metadata]: server, '/reg': { client_id: 'c' }, ...paths });
    return beginning(`${url}/mcp`);
  };
  expect(await said({})).toBe(`${host} does not answer as OAuth 2.1 has it.`);
  const redirect = (to: string) => (response: ServerResponse) =>
    void response.writeHead(302, { location: to }).end();
  expect(await said({ [prm]: redirect('http://169.254.169.254/') })).toBe(
    `${host} answered 302, a redirect that is not followed.`,
  );
  expect(await said({ [metadata]: redirect('http://10.0.0.1/') })).toContain(
    'a redirect that is not followed',
  );
  for (const address of ['http://169.254.169.254', 'https://10.0.0.1', 'http://localhost:1'])
    expect(await said({ [prm]: { ...resource, authorization_servers: [address] } })).toMatch(
      /may not be called/,
    );
  for (const address of ['file:///etc/passwd', 'https://ada:secret@a.example', 'nowhere'])
    expect(await said({ [prm]: { ...resource, authorization_servers: [address] } })).toBe(
      `${host} names an authorization server that cannot be used.`,
    );
  expect(await said({ [prm]: { ...resource, resource: 'https://bank.example/mcp' } })).toBe(
    `${host} speaks for another server, which was not asked.`,
  );
  expect(await said({ [prm]: pour })).toBe(`${host} answered with more than 256 kB.`);
  expect(await said({ [metadata]: pour })).toBe(`${host} answered with more than 256 kB.`);
  expect(await said({ [metadata]: { ...server, issuer: 'https://bank.example' } })).toBe(
    `${host} says that it is another server than the one that was asked for.`,
  );
  expect(await said({ [metadata]: { ...server, code_challenge_methods_supported: ['plain'] } })).toBe(
    `${host} does not protect a sign-in by PKCE, so it is not used.`,
  );
  expect(await said({ [metadata]: { ...server, authorization_endpoint: 'javascript:alert(1)' } })).toBe(
    `${host} does not say how to sign in.`,
  );
  const { registration_endpoint: _none, ...unregistered } = server;
  const isClosed = `${host} takes no clients that it does not know. Register this service there`;
  expect(await said({ [metadata]: unregistered })).toContain(isClosed);
  const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' };
  const asking = (response: ServerResponse) => void response.writeHead(401, challenge).end();
  expect(await said({ [metadata]: server, '/reg': asking })).toContain(isClosed);

  const dripping = oauthFetch(egress.fetch, AbortSignal.timeout(100));
  hostile.answers({ '/token': drip });
  const error = await dripping(`${url}/token`, { method: 'POST' }).catch((reason: unknown) => reason);
  expect(explainFailure(error, host).message).toBe(`${host} did not answer in time.`);
});

test('what a server names to register, to get tokens or to take them back at is not called at a private address', async () => {
  // On this machine as the others are, and not among those that may be called.
  const internal = await startHostileServer();
  onTestFinished(() => internal.close());
  const reached: string[] = [];
  const note = (path: string) => (response: ServerResponse) => {
    reached.push(path);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  internal.answers({ '/reg': note('/reg'), '/token': note('/token'), '/revoke': note('/revoke') });
  const { url } = hostile;
  const json = (status: number, value: object) => (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const given = { access_token: 'a', refresh_token: 'r', token_type: 'bearer', expires_in: 1 };
  const names = (endpoints: object) =>
    hostile.answers({
      '/.well-known/oauth-authorization-server': {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        registration_endpoint: `${url}/reg`,
        revocation_endpoint: `${url}/revoke`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        ...endpoints,
      },
      '/reg': json(201, { client_id: 'c' }),
      '/token': json(200, given),
    });
  const process = signIns(local);
  const complete = async (person: string) => {
    const state = (await process.begin(holder(person), url, by)).searchParams.get('state')!;
    const back = new URLSearchParams({ state, code: 'code' });
    return (await process.complete(back, 'browser', nobody)).problem?.message ?? null;
  };

  const refused = /may not be called\. .*(?:not on the public internet|not open to tools)/;
  for (const place of [internal.url, 'http://169.254.169.254', 'http://[::ffff:10.0.0.1]:8080']) {
    names({ registration_endpoint: `${place}/reg` });
    expect(await beginning(url), place).toMatch(refused);
    names({ token_endpoint: `${place}/token` });
    expect(await complete('ivy'), place).toMatch(refused);
    names({ revocation_endpoint: `${place}/revoke` });
    expect(await complete('ivy'), place).toBeNull();
    await process.signOut(signInId(holder('ivy')));
    expect(await process.view(holder('ivy'), url)).toMatchObject({ status: 'signed-out' });
  }
  expect(reached).toEqual([]);

  // Judged at each call anew: what a name leads to may be another address than at the sign-in.
  let address = '127.0.0.1';
  const named = url.replace('127.0.0.1', 'accounts.example.com');
  const moving = createEgress({
    allow: ['127.0.0.1/32'],
    resolve: () => Promise.resolve([{ address, family: 4 }]),
  });
  onTestFinished(() => moving.close());
  names({ issuer: named, token_endpoint: `${named}/token`, registration_endpoint: `${named}/reg` });
  const later = signIns(local, moving.fetch);
  const state = (await later.begin(holder('jan'), named, by)).searchParams.get('state')!;
  const back = new URLSearchParams({ state, code: 'code' });
  expect((await later.complete(back, 'browser', nobody)).problem).toBeNull();
  address = '10.0.0.1';
  await expect(later.token(holder('jan'), named, null)).rejects.toThrow(refused);
});

test('what was given for one address is not shown at another, and nothing is kept after a sign-out', async () => {
  const { url } = hostile;
  const asked: ServerResponse[] = [];
  const answer = (response: ServerResponse, status: number, value: object) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  hostile.answers({
    '/.well-known/oauth-authorization-server': {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/reg`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    },
    '/reg': (response) => answer(response, 201, { client_id: 'c' }),
    '/token': (response) => void asked.push(response),
  });
  const process = signIns(local);
  const fay = holder('fay');
  const [here, there] = [`${url}/here`, `${url}/there`];
  /** Until the server has been asked for a token and not given it. */
  const askedNext = async () => {
    await expect.poll(() => asked).toHaveLength(1);
    const response = asked.shift()!;
    return (token: string, seconds: number) => {
      const given = { access_token: token, refresh_token: `${token} again`, token_type: 'bearer' };
      answer(response, 200, { ...given, expires_in: seconds });
    };
  };
  const completing = async (address: string) => {
    const state = (await process.begin(fay, address, by)).searchParams.get('state')!;
    return process.complete.bind(process, new URLSearchParams({ state, code: 'code' }), 'browser', nobody);
  };

  const overtaken = (await completing(here))();
  const give = await askedNext();
  await process.begin(fay, there, by);
  give('of here', 3_600);
  expect((await overtaken).problem?.message).toBe('The sign-in has ended. Sign in again.');
  await expect(process.token(fay, there, null)).rejects.toThrow('Nobody has signed in');
  expect(await process.view(fay, there)).toEqual({ status: 'signed-out', problem: null });

  const forgotten = (await completing(there))();
  const giveToNobody = await askedNext();
  await process.signOut(signInId(fay));
  giveToNobody('of nobody', 3_600);
  expect((await forgotten).problem?.code).toBe('signed-out');

  const first = (await completing(here))();
  (await askedNext())('of here', 1);
  await first;
  const renewedHere = process.token(fay, here, null);
  const renewHere = await askedNext();
  const second = (await completing(there))();
  expect(await process.view(fay, there)).toEqual({ status: 'signed-out', problem: null });
  (await askedNext())('of there', 1);
  await second;
  const renewedThere = process.token(fay, there, null);
  const renewThere = await askedNext();
  renewHere('of here still', 3_600);
  renewThere('of there still', 3_600);
  expect([await renewedHere, await renewedThere]).toEqual(['of here still', 'of there still']);
});
