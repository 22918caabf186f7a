import { beforeEach, expect, test } from 'vitest';
import { codeOf, fromBase32, secondFactorPath as own, setUpApp } from '../../testing/authenticator-app.ts';
import {
  type ConsoleBrowser,
  consoleBrowser,
  consolePassword as password,
  invited,
} from '../../testing/console-browser.ts';
import { type TestService, testService } from '../../testing/test-service.ts';
import { type TestStore, testStore } from '../../testing/test-store.ts';

let service: TestService;
let ada: ConsoleBrowser;

beforeEach(async () => {
  // The hour that codes are counted in does not pass while they are tried.
  const now = Date.now();
  const env = { TRUST_PROXY: '1', PUBLIC_URL: 'https://chat.example.com' };
  service = await testService(env, { clock: () => now });
  ada = await invited(service, { name: 'Ada', role: 'owner' });
});

const signIn = (browser: ConsoleBrowser, code?: string) =>
  browser('POST', '/session', { name: 'Ada', password, code });

test('with an authenticator app a password alone opens nothing, and a code opens once', async () => {
  const elsewhere = consoleBrowser(service);
  await signIn(elsewhere);
  const wrongPassword = await ada('POST', own, { password: 'wrong horse battery' });
  expect([wrongPassword.status, wrongPassword.body.issues?.[0]?.path]).toEqual([400, ['password']]);
  const begun = (await ada('POST', own, { password })).body;
  const wrong = await ada('POST', `${own}/confirm`, { setup: begun.setup, code: '000 00' });
  expect([wrong.status, wrong.body.issues?.[0]?.path]).toEqual([400, ['code']]);
  expect((await ada('POST', `${own}/confirm`, { setup: 'none', code: '000000' })).status).toBe(409);
  expect((await ada('GET', own)).body).toEqual({ since: null, recoveryCodes: 0 });

  const { secret, address, setup, codes } = await setUpApp(ada);
  expect(address).toMatch(
    /^otpauth:\/\/totp\/Parley%20chat\.example\.com:Ada\?secret=[A-Z2-7]{32}&issuer=Parley%20chat\.example\.com$/,
  );
  expect(codes).toHaveLength(10);
  expect(new Set(codes).size).toBe(10);
  expect((await ada('GET', own)).body).toMatchObject({ since: expect.any(String), recoveryCodes: 10 });
  // Every other session has ended, and what was set up is not set up again.
  expect((await elsewhere('GET', '/session')).status).toBe(204);
  expect((await ada('POST', `${own}/confirm`, { setup, code: codeOf(secret, 1) })).status).toBe(409);

  const asked = await signIn(elsewhere);
  expect([asked.status, asked.body.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
  expect(asked.headers.getSetCookie()).toEqual([]);
  const guessed = await signIn(elsewhere, '000000');
  expect([guessed.status, guessed.body.code, guessed.body.issues?.[0]?.path]).toEqual([
    401,
    'UNAUTHORIZED',
    ['code'],
  ]);
  const next = codeOf(secret, 1);
  const at = await Promise.all([
    signIn(elsewhere, `${next.slice(0, 3)} ${next.slice(3)}`),
    signIn(ada, next),
  ]);
  expect(new Set(at.map(({ status }) => status))).toEqual(new Set([200, 401]));
  expect((await signIn(elsewhere, next)).status).toBe(401);

  const [stored] = await service.stored.sql('SELECT second_factor AS factor FROM members');
  expect(stored?.['factor']).not.toContain(secret.toString('base64'));
  for (const code of codes) expect(stored?.['factor']).not.toContain(code);
  expect(service.log.join()).not.toContain(next);
});

test('a recovery code opens once in place of the app, and new ones replace those that are left', async () => {
  const { codes } = await setUpApp(ada);
  const [first = '', second = '', third = ''] = codes;
  const phone = consoleBrowser(service);
  const tries = await Promise.all([signIn(phone, first.toUpperCase()), signIn(ada, first)]);
  expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([200, 401]));
  expect((await signIn(phone, second.replaceAll('-', ' '))).status).toBe(200);
  expect((await phone('GET', own)).body.recoveryCodes).toBe(8);
  const renewed = await phone('POST', `${own}/recovery-codes`, { password });
  expect((await signIn(phone, third)).status).toBe(401);
  expect((await signIn(phone, renewed.body.recoveryCodes[0])).status).toBe(200);

  const other = await invited(service, { name: 'Grace', role: 'viewer' });
  expect((await other('POST', `${own}/recovery-codes`, { password })).status).toBe(409);
});

test('it is turned off with the password, or by an owner who is somebody else, and both are in the log', async () => {
  const grace = await invited(service, { name: 'Grace', role: 'owner' });
  const { id } = (await ada('GET', '/session')).body;
  await setUpApp(ada);
  expect((await ada('POST', `${own}/remove`, { password: 'wrong' })).status).toBe(400);
  expect((await ada('POST', `${own}/remove`, { password })).status).toBe(204);
  expect((await signIn(consoleBrowser(service))).status).toBe(200);

  await setUpApp(ada);
  expect((await grace('GET', `/members/${id}`)).body.secondFactor).toBe(true);
  expect((await ada('DELETE', `/members/${id}/second-factor`)).status).toBe(400);
  expect((await grace('DELETE', `/members/${id}/second-factor`)).status).toBe(204);
  expect((await ada('GET', '/session')).status).toBe(204);
  expect((await signIn(ada)).body).toMatchObject({ name: 'Ada', secondFactor: false });

  const { items } = (await grace('GET', '/audit')).body;
  const changes = items.filter(({ action }: { action: string }) => action === 'updated');
  expect(
    changes.map(({ actor, subject, before, after }: Entry) => [actor.name, subject.name, before, after]),
  ).toEqual([
    ['Grace', 'Ada', { secondFactor: true }, { secondFactor: false }],
    ['Ada', 'Ada', { secondFactor: false }, { secondFactor: true }],
    ['Ada', 'Ada', { secondFactor: true }, { secondFactor: false }],
    ['Ada', 'Ada', { secondFactor: false }, { secondFactor: true }],
  ]);
});

test('codes are guessed ten times an hour, and whoever guesses elsewhere locks nobody out', async () => {
  const { codes } = await setUpApp(ada);
  const elsewhere = consoleBrowser(service);
  const guess = (n: number) =>
    elsewhere(
      'POST',
      '/session',
      { name: 'Ada', password, code: '000000' },
      { 'x-forwarded-for': `192.0.2.${n}` },
    );
  const guesses = await Promise.all(Array.from({ length: 11 }, (_, n) => guess(n)));
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(1);
  expect((await signIn(ada, codes[0])).status).toBe(200);
});

interface Entry {
  readonly actor: { readonly name: string };
  readonly subject: { readonly name: string };
  readonly before: object;
  readonly after: object;
}

test('an app that is being set up while the second factor is reset is not left behind', async () => {
  const stored = await testStore();
  /** What another request does just before an app is stored. */
  let meanwhile = () => Promise.resolve();
  const watched: TestStore = {
    ...stored,
    async open(clock) {
      const store = await stored.open(clock);
      const { members } = store.settings;
      const update: typeof members.update = async (id, fields, ...rest) => {
        const act = meanwhile;
        if (typeof fields.secondFactor === 'string') {
          meanwhile = () => Promise.resolve();
          await act();
        }
        return members.update(id, fields, ...rest);
      };
      return { ...store, settings: { ...store.settings, members: { ...members, update } } };
    },
  };
  service = await testService({}, { stored: watched, clock: Date.now });
  const [grace, thief] = await Promise.all([
    invited(service, { name: 'Grace', role: 'owner' }),
    invited(service, { name: 'Ada', role: 'viewer' }),
  ]);
  const { id } = (await thief('GET', '/session')).body;
  const { secret, setup } = (await thief('POST', own, { password })).body;
  meanwhile = async () => expect((await grace('DELETE', `/members/${id}/second-factor`)).status).toBe(204);
  const confirmed = await thief('POST', `${own}/confirm`, { setup, code: codeOf(fromBase32(secret)) });
  expect([confirmed.status, confirmed.body.recoveryCodes]).toEqual([401, undefined]);
  expect((await signIn(consoleBrowser(service))).status).toBe(200);
});
