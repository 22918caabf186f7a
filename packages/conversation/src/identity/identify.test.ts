import { expect, test } from 'vitest';
import {
  createBrowser,
  createService,
  pass,
  readStorage,
  startConversation,
} from '../../testing/start-conversation.ts';

const tokenOf = (visitor: string, version = 1) => `x.${btoa(JSON.stringify({ sub: visitor, version }))}.x`;
const ada = tokenOf('ada');
const grace = tokenOf('grace');
const said = ({ posted }: ReturnType<typeof createService>) =>
  posted.flatMap(({ body, visitor }) => (body['message'] === undefined ? [] : [[body['message'], visitor]]));

test('nothing is sent before it is known who the visitor is', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  const token = Promise.withResolvers<string>();
  void conversation.identify(() => token.promise);
  conversation.send('Hello');
  await pass(60_000);
  expect(service.posted).toEqual([]);
  token.resolve(ada);
  await pass();
  expect(said(service)).toEqual([['Hello', ada]]);
  expect(conversation.visitor.value).toBe('ada');
});

test.for(['', 'Not signed in', '<!doctype html>', 'x.bm8.x', 'x.bnVsbA.x', 'x.e30.x'])(
  'what is no token, %o, is said to be none',
  async (given) => {
    const { conversation } = await startConversation(createService());
    const wanted = 'Parley: identify takes a visitor token, as signVisitorToken makes it.';
    await expect(conversation.identify(() => given)).rejects.toThrow(wanted);
  },
);

test('a conversation that was nobody’s becomes the visitor’s', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  conversation.send('Hello');
  await pass();
  await conversation.identify(ada);
  expect(service.posted.at(-1)).toMatchObject({ path: '/parley/v1/session/s1/identify', visitor: ada });
  expect(conversation.session.value?.sessionId).toBe('s1');
});

test('another visitor ends the earlier one’s conversation, and what was written since they were named is theirs', async () => {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  await conversation.identify(ada);
  conversation.send('Of Ada');
  await pass();
  conversation.draft.change({ text: 'Half of what Ada' });
  const token = Promise.withResolvers<string>();
  void conversation.identify(() => token.promise);
  await pass(10);
  conversation.send('Of Grace');
  token.resolve(grace);
  await pass();
  expect(said(service)).toEqual([
    ['Of Ada', ada],
    ['Of Grace', grace],
  ]);
  expect(service.posted.at(-1)?.path).toBe('/parley/v1/session');
  expect(conversation.draft.state.value.text).toBe('');
  expect(readStorage(browser).get('visitor')).toBe('grace');
});

test('a token that has expired is asked for anew, and the message sent with it', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  let version = 0;
  await conversation.identify(() => tokenOf('ada', ++version));
  const { respond } = service;
  service.respond = (post) =>
    post.visitor === tokenOf('ada', 1)
      ? Response.json({ ok: false, code: 'VISITOR_TOKEN_EXPIRED', error: 'Old.' }, { status: 401 })
      : respond(post);
  conversation.send('Hello');
  await pass();
  expect(said(service)).toEqual([
    ['Hello', tokenOf('ada', 1)],
    ['Hello', tokenOf('ada', 2)],
  ]);
  expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'accepted' } }]);
});

test('a token that does not come when the one before has expired is asked for again, and the message sent', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  let version = 0;
  await conversation.identify(() =>
    (version += 1) === 2 ? new Promise<string>(() => {}) : tokenOf('ada', version),
  );
  const { respond } = service;
  service.respond = (post) =>
    post.visitor === tokenOf('ada', 1)
      ? Response.json({ ok: false, code: 'VISITOR_TOKEN_INVALID', error: 'Old.' }, { status: 401 })
      : respond(post);
  conversation.send('Hello');
  await pass(120_000);
  expect(said(service)).toEqual([
    ['Hello', tokenOf('ada', 1)],
    ['Hello', tokenOf('ada', 3)],
  ]);
});

test('a token that comes after another visitor has come is nobody’s', async () => {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  const late = Promise.withResolvers<string>();
  const tokens = [ada, late.promise, grace];
  await conversation.identify(() => tokens.shift() ?? grace);
  const { respond } = service;
  service.respond = (post) =>
    post.visitor === ada
      ? Response.json({ ok: false, code: 'VISITOR_TOKEN_INVALID', error: 'Old.' }, { status: 401 })
      : respond(post);
  conversation.send('Of Ada');
  await pass(120_000);
  expect(conversation.visitor.value).toBe('grace');
  conversation.send('Of Grace');
  late.resolve(tokenOf('ada', 2));
  await pass();
  expect(conversation.visitor.value).toBe('grace');
  expect(readStorage(browser).get('visitor')).toBe('grace');
  expect(said(service).at(-1)).toEqual(['Of Grace', grace]);
});

test('who has logged out is nobody, and leaves nothing', async () => {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  await conversation.identify(ada);
  conversation.send('Of Ada');
  await pass();
  await conversation.logout();
  expect(browser.storage.length).toBe(0);
  expect(conversation.session.value).toBeNull();
  conversation.send('Of nobody');
  await pass();
  expect(said(service).at(-1)).toEqual(['Of nobody', null]);
  expect(service.posted.at(-1)?.path).toBe('/parley/v1/session');
});

test('a token that cannot be had is told to whoever has named the visitor', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  const identified = conversation.identify(() => Promise.reject(new Error('No server.')));
  await expect(identified).rejects.toThrow('No server.');
});

test('who has logged out in one tab is nobody in the others', async () => {
  const browser = createBrowser();
  const service = createService();
  const tabs = [await startConversation(service, browser), await startConversation(service, browser)];
  for (const { conversation } of tabs) await conversation.identify(tokenOf('ada'));
  await tabs[0]!.conversation.logout();
  await pass();
  expect(tabs.map(({ conversation }) => conversation.visitor.value)).toEqual(['', '']);
});
