import { beforeEach, expect, test } from 'vitest';
import { setUpApp } from '../../testing/authenticator-app.ts';
import {
  type ConsoleBrowser,
  consoleBrowser,
  consolePassword as password,
  invited,
} from '../../testing/console-browser.ts';
import { addPasskey, type Authenticator, authenticator } from '../../testing/passkey.ts';
import { type TestService, testService } from '../../testing/test-service.ts';
import { type TestStore, testStore } from '../../testing/test-store.ts';

const origin = 'https://chat.example.com';
const rpId = 'chat.example.com';
let service: TestService;
let ada: ConsoleBrowser;

beforeEach(async () => {
  service = await testService({ PUBLIC_URL: origin });
  ada = await invited(service, { name: 'Ada', role: 'owner' });
});

const challenged = async (browser: ConsoleBrowser): Promise<string> =>
  (await browser('POST', '/session/passkey/options')).body.challenge;

async function signIn(browser: ConsoleBrowser, held: Authenticator, used = 0) {
  const response = held.assert({ challenge: await challenged(browser), origin, used });
  return browser('POST', '/session/passkey', { response });
}

test('a passkey signs in without a password and without a code, until it is removed', async () => {
  const phone = authenticator(rpId);
  expect((await ada('POST', '/passkeys/options', { password: 'wrong' })).status).toBe(400);
  const id = await addPasskey(ada, phone, { name: 'Phone', origin });
  await setUpApp(ada);
  const elsewhere = consoleBrowser(service);
  const entered = await signIn(elsewhere, phone);
  expect([entered.status, entered.body.name]).toEqual([200, 'Ada']);
  expect(entered.headers.getSetCookie().join()).toContain('__Host-parley-console=');
  const { items } = (await elsewhere('GET', '/passkeys')).body;
  expect(items).toEqual([
    { id, name: 'Phone', createdAt: expect.any(String), lastUsedAt: expect.any(String) },
  ]);
  expect((await elsewhere('PATCH', `/passkeys/${id}`, { name: 'Old phone' })).body.name).toBe('Old phone');

  const grace = await invited(service, { name: 'Grace', role: 'owner' });
  expect((await grace('GET', '/passkeys')).body.items).toEqual([]);
  expect((await grace('PATCH', `/passkeys/${id}`, { name: 'Mine' })).status).toBe(404);
  expect((await grace('DELETE', `/passkeys/${id}`)).status).toBe(404);

  expect((await ada('DELETE', `/passkeys/${id}`)).status).toBe(204);
  // What was begun with it has ended.
  expect((await elsewhere('GET', '/session')).status).toBe(204);
  expect((await signIn(elsewhere, phone)).status).toBe(401);
  const log = (await grace('GET', '/audit')).body.items as { kind: string; action: string; after: object }[];
  expect(log.flatMap(({ kind, action }) => (kind === 'passkey' ? [action] : []))).toEqual([
    'deleted',
    'updated',
    'created',
  ]);
});

test('a challenge opens once, for whom it was made, where it was made', async () => {
  const phone = authenticator(rpId);
  await addPasskey(ada, phone, { name: 'Phone', origin });
  const elsewhere = consoleBrowser(service);
  const send = (response: object) => elsewhere('POST', '/session/passkey', { response });
  const response = phone.assert({ challenge: await challenged(elsewhere), origin });
  const tries = await Promise.all([send(response), send(response)]);
  expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([200, 401]));

  const phished = phone.assert({
    challenge: await challenged(elsewhere),
    origin: 'https://chat.example.org',
  });
  expect((await send(phished)).status).toBe(401);
  const strange = authenticator(rpId).assert({ challenge: await challenged(elsewhere), origin });
  expect((await send(strange)).status).toBe(401);
  const made = phone.assert({ challenge: 'made-up', origin });
  expect((await send(made)).status).toBe(401);

  // What was given to Ada adds nothing for Grace, and signs nobody in.
  const grace = await invited(service, { name: 'Grace', role: 'viewer' });
  const { challenge } = (await ada('POST', '/passkeys/options', { password })).body;
  expect((await send(phone.assert({ challenge, origin }))).status).toBe(401);
  const taken = { name: 'Phone', response: authenticator(rpId).register({ challenge, origin }) };
  expect((await grace('POST', '/passkeys', taken)).status).toBe(409);
  expect((await ada('POST', '/passkeys', taken)).status).toBe(201);
  expect((await ada('POST', '/passkeys', taken)).status).toBe(409);
});

test('nobody enters with a key that asked for no finger, or with the copy of one', async () => {
  const { challenge } = (await ada('POST', '/passkeys/options', { password })).body;
  const unverified = authenticator(rpId, false).register({ challenge, origin });
  expect((await ada('POST', '/passkeys', { name: 'Stick', response: unverified })).status).toBe(400);
  const phone = authenticator(rpId);
  await addPasskey(ada, phone, { name: 'Phone', origin });
  const elsewhere = consoleBrowser(service);
  expect((await signIn(elsewhere, phone, 5)).status).toBe(200);
  expect((await signIn(elsewhere, phone, 5)).status).toBe(401);
  expect((await signIn(elsewhere, phone, 6)).status).toBe(200);
});

test('where the console has an IP address for a name, passkeys are refused with a sentence', async () => {
  const nameless = await testService({ PUBLIC_URL: 'https://192.0.2.1' });
  const refused = await consoleBrowser(nameless)('POST', '/session/passkey/options');
  expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('PUBLIC_URL')]);
});

test('a passkey that is being added while the second factor is reset goes with the others', async () => {
  const stored = await testStore();
  const none = () => Promise.resolve();
  /** What another request does just before a passkey is stored, or once those that there are were read. */
  const meanwhile = { insert: none, listed: none };
  const once = async (when: keyof typeof meanwhile) => {
    const act = meanwhile[when];
    meanwhile[when] = none;
    await act();
  };
  const watched: TestStore = {
    ...stored,
    async open(clock) {
      const store = await stored.open(clock);
      const { passkeys } = store.settings;
      const insert: typeof passkeys.insert = async (...inserted) => {
        await once('insert');
        await passkeys.insert(...inserted);
      };
      const list: typeof passkeys.list = async (query) => {
        const page = await passkeys.list(query);
        await once('listed');
        return page;
      };
      return { ...store, settings: { ...store.settings, passkeys: { ...passkeys, insert, list } } };
    },
  };
  service = await testService({ PUBLIC_URL: origin }, { stored: watched, clock: Date.now });
  const grace = await invited(service, { name: 'Grace', role: 'owner' });
  for (const when of ['insert', 'listed'] as const) {
    const thief = await invited(service, { name: `Ada ${when}`, role: 'viewer' });
    const { id } = (await thief('GET', '/session')).body;
    const reset = async () =>
      expect((await grace('DELETE', `/members/${id}/second-factor`)).status).toBe(204);
    const { challenge } = (await thief('POST', '/passkeys/options', { password })).body;
    const add = async () => {
      const response = authenticator(rpId).register({ challenge, origin });
      expect((await thief('POST', '/passkeys', { name: 'Mine', response })).status).toBe(401);
    };
    meanwhile[when] = when === 'insert' ? reset : add;
    await (when === 'insert' ? add() : reset());
    expect(await stored.sql('SELECT id FROM passkeys'), when).toEqual([]);
  }
});
