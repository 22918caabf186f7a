import { expect, test } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { createMemoryFiles } from '../outbox/file-storage.ts';
import { createConversationStorage } from './conversation-storage.ts';

const reference = { sessionId: 's1', continuationToken: 't1' };

/** What a page of its own sees of a storage. */
const open = (storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, service: string, key: string) =>
  createConversationStorage(
    `parley:${service}:${key}`,
    { storage: () => storage, openChannel: (name) => new BroadcastChannel(name) },
    createMemoryFiles(),
  );

test('the conversation is there for the next page, and only for the same service and key', () => {
  const storage = memoryStorage();
  open(storage, 'https://a.example', 'pk_1').write(reference);
  expect(open(storage, 'https://a.example', 'pk_1').read()).toEqual(reference);
  expect(open(storage, 'https://a.example', 'pk_2').read()).toBeNull();
  expect(open(storage, 'https://b.example', 'pk_1').read()).toBeNull();
});

test('reading stores nothing, and a given up conversation leaves nothing', () => {
  const storage = memoryStorage();
  const store = open(storage, 'https://a.example', 'pk_1');
  expect(store.read()).toBeNull();
  expect(storage.length).toBe(0);
  store.write(reference);
  store.write(null);
  expect(storage.length).toBe(0);
});

test.each(['{', '"text"', '{"sessionId":1,"continuationToken":"t"}', 'null'])(
  'a damaged entry %s is no conversation',
  (value) => {
    const storage = memoryStorage();
    storage.setItem('parley:https://a.example:pk_1', value);
    expect(open(storage, 'https://a.example', 'pk_1').read()).toBeNull();
  },
);

test('where storage is blocked the conversation lives as long as the page', () => {
  const blocked = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  const storage = { getItem: blocked, setItem: blocked, removeItem: blocked };
  const store = open(storage, 'https://a.example', 'pk_1');
  store.write(reference);
  expect(store.read()).toEqual(reference);
});

test('another tab hears of the conversation, of its end and of the visitor’s', async () => {
  const storage = memoryStorage();
  const here = open(storage, 'https://a.example', 'pk_tabs');
  const there = open(storage, 'https://a.example', 'pk_tabs');
  const heard = Promise.withResolvers<void>();
  const chosen: unknown[] = [];
  there.subscribe(
    (each) => chosen.push(each),
    (visitor) => {
      chosen.push({ visitor });
      heard.resolve();
    },
  );
  here.subscribe(
    () => chosen.push('echo'),
    () => chosen.push('echo'),
  );
  here.write(reference);
  here.write(null);
  here.forget('ada');
  await heard.promise;
  there.close();
  here.close();
  expect(chosen).toEqual([reference, null, { visitor: 'ada' }]);
});

test('whoever is forgotten leaves nothing but the wish for sound', () => {
  const storage = memoryStorage();
  const store = open(storage, 'https://a.example', 'pk_1');
  store.write(reference);
  store.writeOutbox([message('m1')]);
  for (const entry of ['draft', 'entries', 'files', 'seen', 'visitor', 'notify'] as const)
    store.set(entry, '1');
  store.forget('');
  expect(storage.length).toBe(1);
  expect(store.get('notify')).toBe('1');
});

const message = (id: string) => ({ id, text: id, at: Date.now(), after: 0 });

test('what one tab has not sent outlives what another sends', () => {
  const storage = memoryStorage();
  const here = open(storage, 'https://a.example', 'pk_1');
  const there = open(storage, 'https://a.example', 'pk_1');
  here.writeOutbox([message('unsent')]);
  there.writeOutbox([message('sent')]);
  there.writeOutbox([]);
  expect(open(storage, 'https://a.example', 'pk_1').readOutbox()).toMatchObject([{ id: 'unsent' }]);
  here.writeOutbox([]);
  expect(open(storage, 'https://a.example', 'pk_1').readOutbox()).toEqual([]);
});

test('what another tab has cleared is not remembered here', () => {
  const storage = memoryStorage();
  const here = open(storage, 'https://a.example', 'pk_1');
  const there = open(storage, 'https://a.example', 'pk_1');
  here.set('seen', '3');
  there.set('seen', '');
  expect(here.get('seen')).toBe('');
});

test('what a tab has noted before it heard that the visitor is forgotten goes too', async () => {
  const storage = memoryStorage();
  const here = open(storage, 'https://a.example', 'pk_late');
  const there = open(storage, 'https://a.example', 'pk_late');
  const heard = Promise.withResolvers<void>();
  there.subscribe(
    () => {},
    () => heard.resolve(),
  );
  here.forget('');
  there.set('seen', '1');
  there.set('entries', '{" gate":{"gate-name":"Ada"}}');
  await heard.promise;
  here.close();
  there.close();
  expect(storage.length).toBe(0);
});
