import { expect, test, vi } from 'vitest';
import { createBrowser, createService, pass, startConversation } from '../../testing/start-conversation.ts';
// It is loaded when it is wanted, which takes a while on a busy machine.
import './attaching.ts';
import { createMemoryFiles } from './file-storage.ts';

const note = new File(['A note.'], 'note.txt', { type: 'text/plain' });
const film = new File(['Moving.'], 'film.mp4', { type: 'video/mp4' });

/** A service that takes texts of a hundred bytes at most, and a page that keeps files over reloads. */
function takeTexts() {
  const service = createService();
  service.config = { files: { types: ['text/*'], totalBytes: 100 } };
  const { respond } = service;
  service.respond = (post) =>
    post.path.endsWith('/session/file')
      ? Response.json({ fileId: 'file_1' }, { status: 201 })
      : respond(post);
  const browser = createBrowser();
  const tab = new Map<string, string>();
  const environment = {
    ...browser.environment,
    files: createMemoryFiles(),
    tabStorage: () => ({
      getItem: (name: string) => tab.get(name) ?? null,
      setItem: (name: string, value: string) => void tab.set(name, value),
    }),
  };
  return { service, browser: { ...browser, environment } };
}

/** A page that was left with a file in its draft. */
async function leaveDraft() {
  const { service, browser } = takeTexts();
  const { conversation } = await startConversation(service, browser);
  conversation.attach([note]);
  await expect.poll(() => conversation.draft.state.value.files).toHaveLength(1);
  conversation.dispose();
  return { service, browser };
}

/** Until it is restored, the code that reads kept files does not come. */
const failToRead = ({ environment }: ReturnType<typeof takeTexts>['browser']) =>
  vi.spyOn(environment.files, 'read').mockRejectedValue(new Error('The connection failed.'));

test('a file that the agent takes goes with the message, by its id', async () => {
  const { service, browser } = takeTexts();
  const { conversation } = await startConversation(service, browser);
  conversation.attach([note]);
  await expect.poll(() => conversation.draft.state.value.files).toHaveLength(1);
  const { text, files } = conversation.draft.state.value;
  expect(conversation.send(`${text}Read this`, files)).toBe(true);
  await expect.poll(() => conversation.outbox.value).toMatchObject([{ state: { kind: 'accepted' } }]);
  expect(service.posted.at(-1)?.body['message']).toEqual([
    { type: 'text', text: 'Read this' },
    { type: 'file', fileId: 'file_1' },
  ]);
});

test('what the agent does not take is not added, and why', async () => {
  const { service, browser } = takeTexts();
  const { conversation } = await startConversation(service, browser);
  conversation.attach([film, note, new File(['x'.repeat(200)], 'long.txt', { type: 'text/plain' })]);
  await expect.poll(() => conversation.draft.state.value.adding).toBe(0);
  await expect
    .poll(() => conversation.draft.state.value.problem)
    .toMatchObject({
      kind: 'rejected',
      refused: ['film.mp4', 'long.txt'],
      surplus: [],
    });
  expect(conversation.draft.state.value.files.map(({ name }) => name)).toEqual(['note.txt']);
});

test('the files of a draft outlive a reload', async () => {
  const { service, browser } = await leaveDraft();
  const next = await startConversation(service, browser);
  await expect
    .poll(() => next.conversation.draft.state.value.files.map(({ name }) => name))
    .toEqual(['note.txt']);
});

test('of two conversations of one page each has the files of its own draft, over a reload too', async () => {
  const { service, browser } = takeTexts();
  const start = async () => (await startConversation(service, browser)).conversation;
  const [first, second] = [await start(), await start()];
  const drafted = ({ draft }: typeof first) => names(draft.state.value.files);
  first.attach([text('one.txt')]);
  await expect.poll(() => drafted(first)).toEqual(['one.txt']);
  second.attach([text('two.txt')]);
  await expect.poll(() => second.draft.state.value.adding).toBe(0);
  expect([drafted(first), drafted(second)]).toEqual([['one.txt'], ['two.txt']]);
  // The one that was begun first is changed last.
  first.attach([text('three.txt')]);
  await expect.poll(() => drafted(first)).toEqual(['one.txt', 'three.txt']);
  for (const each of [first, second]) each.dispose();
  const next = [await start(), await start()];
  await expect.poll(() => next.map(drafted)).toEqual([['one.txt', 'three.txt'], ['two.txt']]);
});

test('a tab remembers its drafts once, however often it is reloaded', async () => {
  const { service, browser } = await leaveDraft();
  const remembered = () => browser.environment.tabStorage().getItem('parley:http://service:pk:files');
  const before = remembered();
  expect(before).toMatch(/^\w+$/);
  const { conversation } = await startConversation(service, browser);
  await expect.poll(() => conversation.draft.state.value.files).toHaveLength(1);
  expect(remembered()).toBe(before);
});

test('files of an earlier page that cannot be read yet hold up nothing, and come with the next ones', async () => {
  const { service, browser } = await leaveDraft();
  const read = failToRead(browser);
  const { draft, attach } = (await startConversation(service, browser)).conversation;
  await expect.poll(() => draft.state.value).toMatchObject({ adding: 0, problem: { kind: 'network' } });
  read.mockRestore();
  attach([text('next.txt')]);
  await expect.poll(() => names(draft.state.value.files)).toEqual(['note.txt', 'next.txt']);
  expect(draft.state.value).toMatchObject({ adding: 0, problem: null });
});

test('files that cannot be read while others are added are there for the next page', async () => {
  const { service, browser } = await leaveDraft();
  const { promise, reject } = Promise.withResolvers<null>();
  const read = vi.spyOn(browser.environment.files, 'read').mockReturnValue(promise);
  const { conversation: next } = await startConversation(service, browser);
  await expect.poll(() => next.draft.state.value.adding).toBe(1);
  next.draft.change({ files: [text('next.txt')] });
  reject(new Error('The connection failed.'));
  await expect.poll(() => next.draft.state.value.problem).toEqual({ kind: 'network' });
  next.dispose();
  read.mockRestore();
  const { draft } = (await startConversation(service, browser)).conversation;
  await expect.poll(() => names(draft.state.value.files)).toEqual(['note.txt']);
});

test('files of an earlier visitor that are still being read do not reach the next one', async () => {
  const { service, browser } = await leaveDraft();
  const { promise, resolve } = Promise.withResolvers<File[]>();
  vi.spyOn(browser.environment.files, 'read').mockReturnValue(promise);
  const { conversation: next } = await startConversation(service, browser);
  await expect.poll(() => next.draft.state.value.adding).toBe(1);
  await next.logout();
  resolve([note]);
  await expect.poll(() => next.draft.state.value.adding).toBe(0);
  expect(next.draft.state.value).toMatchObject({ files: [], problem: null });
});

test('files that could not be read are there for the next page', async () => {
  const { service, browser } = await leaveDraft();
  const read = failToRead(browser);
  const failed = (await startConversation(service, browser)).conversation;
  await expect.poll(() => failed.draft.state.value.problem).toEqual({ kind: 'network' });
  expect(failed.send('Without them')).toBe(true);
  failed.dispose();
  read.mockRestore();
  const { draft } = (await startConversation(service, browser)).conversation;
  await expect.poll(() => names(draft.state.value.files)).toEqual(['note.txt']);
});

test('a message with files that was not sent becomes the draft again, files and all', async () => {
  const { service, browser } = takeTexts();
  const { conversation } = await startConversation(service, browser);
  service.respond = () => Response.json({ ok: false, code: 'BAD_REQUEST', error: 'No.' }, { status: 400 });
  conversation.send('Read this', [note]);
  await expect.poll(() => conversation.outbox.value).toMatchObject([{ state: { kind: 'failed' } }]);
  conversation.draft.change({ text: 'and this' });
  conversation.edit(conversation.outbox.value[0]!.id);
  await expect.poll(() => conversation.outbox.value).toEqual([]);
  expect(conversation.draft.state.value).toMatchObject({
    text: 'Read this\nand this',
    files: [{ name: 'note.txt' }],
  });
});

test('an unsent message whose files cannot be read yet stays as it is, and why', async () => {
  const { service, browser } = takeTexts();
  const { conversation } = await startConversation(service, browser);
  service.respond = () => Response.json({ ok: false, code: 'BAD_REQUEST', error: 'No.' }, { status: 400 });
  conversation.send('Read this', [note]);
  await expect.poll(() => conversation.outbox.value).toMatchObject([{ state: { kind: 'failed' } }]);
  failToRead(browser);
  conversation.edit(conversation.outbox.value[0]!.id);
  await expect.poll(() => conversation.draft.state.value.problem).toEqual({ kind: 'network' });
  expect(conversation.outbox.value).toHaveLength(1);
});

test('what was written for the next visitor is sent, also where its files cannot be read', async () => {
  const { service, browser } = takeTexts();
  const { conversation } = await startConversation(service, browser);
  const tokenOf = (visitor: string) => `x.${btoa(JSON.stringify({ sub: visitor }))}.x`;
  await conversation.identify(tokenOf('ada'));
  conversation.send('Of Ada');
  await pass();
  const token = Promise.withResolvers<string>();
  void conversation.identify(() => token.promise);
  await pass(10);
  conversation.send('Read this', [note]);
  conversation.send('And this');
  failToRead(browser);
  token.resolve(tokenOf('grace'));
  const said = () => service.posted.map(({ body }) => body['message']).filter((each) => each !== undefined);
  await expect.poll(said).toEqual(['Of Ada', expect.stringContaining('Read this'), 'And this']);
});

test('files that are still being added do not reach the next visitor', async () => {
  const { service, browser } = takeTexts();
  const { conversation } = await startConversation(service, browser);
  conversation.attach([note]);
  const left = conversation.logout();
  await left;
  await expect.poll(() => conversation.draft.state.value.adding).toBe(0);
  await pass();
  expect(conversation.draft.state.value.files).toEqual([]);
});

const text = (name: string, length = 1) => new File(['x'.repeat(length)], name, { type: 'text/plain' });
const names = (files: readonly File[]) => files.map(({ name }) => name);

test('two additions at once do not go over the total together', async () => {
  const { service, browser } = takeTexts();
  const { conversation } = await startConversation(service, browser);
  conversation.attach([text('one.txt', 60)]);
  conversation.attach([text('two.txt', 60)]);
  await expect.poll(() => conversation.draft.state.value.files).toHaveLength(1);
  await expect.poll(() => conversation.draft.state.value.adding).toBe(0);
  expect(names(conversation.draft.state.value.files)).toEqual(['one.txt']);
  expect(conversation.draft.state.value.problem).toMatchObject({ refused: ['two.txt'] });
});

test.for([
  ['many', 6, 1, { surplus: Array(6).fill('old.txt') }],
  ['large', 1, 60, { refused: ['old.txt'] }],
] as const)(
  'an unsent message whose files are too %s beside those of the draft stays as it is',
  async ([, count, length, problem]) => {
    const { service, browser } = takeTexts();
    const { conversation } = await startConversation(service, browser);
    service.respond = () => Response.json({ ok: false, code: 'BAD_REQUEST', error: 'No.' }, { status: 400 });
    const some = (name: string) => Array.from({ length: count }, () => text(name, length));
    conversation.send('Read these', some('old.txt'));
    await expect.poll(() => conversation.outbox.value).toMatchObject([{ state: { kind: 'failed' } }]);
    conversation.draft.change({ text: 'and these', files: some('new.txt') });
    conversation.edit(conversation.outbox.value[0]!.id);
    await expect.poll(() => conversation.draft.state.value.problem).toMatchObject(problem);
    expect(conversation.outbox.value).toHaveLength(1);
    expect(conversation.draft.state.value.text).toBe('and these');
    expect(names(conversation.draft.state.value.files)).toEqual(names(some('new.txt')));
  },
);

test('of the files of unsent messages a new conversation has as many as one message can take, and says which not', async () => {
  const { service, browser } = takeTexts();
  const { conversation } = await startConversation(service, browser);
  service.respond = () => Response.json({ ok: false, code: 'BAD_REQUEST', error: 'No.' }, { status: 400 });
  conversation.send('One', [text('one.txt', 60)]);
  conversation.send('Two', [text('two.txt', 60)]);
  await expect
    .poll(() => conversation.outbox.value)
    .toMatchObject([{ state: { kind: 'failed' } }, { state: { kind: 'failed' } }]);
  conversation.startNew();
  await expect
    .poll(() => conversation.draft.state.value)
    .toMatchObject({
      text: 'One\nTwo',
      files: [{ name: 'one.txt' }],
      problem: { refused: ['two.txt'] },
    });
});
