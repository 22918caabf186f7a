import { afterEach, expect, test, vi } from 'vitest';
import { createConversationStore } from './conversation-store.ts';

const reference = { sessionId: 's1', continuationToken: 't1' };

function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    getItem: (name) => items.get(name) ?? null,
    key: (index) => [...items.keys()][index] ?? null,
    removeItem: (name) => void items.delete(name),
    setItem: (name, value) => void items.set(name, value),
  };
}

afterEach(() => vi.unstubAllGlobals());

test('the conversation is there for the next page, and only for the same service and key', () => {
  vi.stubGlobal('localStorage', memoryStorage());
  createConversationStore('https://a.example', 'pk_1').write(reference);
  expect(createConversationStore('https://a.example', 'pk_1').read()).toEqual(reference);
  expect(createConversationStore('https://a.example', 'pk_2').read()).toBeNull();
  expect(createConversationStore('https://b.example', 'pk_1').read()).toBeNull();
});

test('reading stores nothing, and a given up conversation leaves nothing', () => {
  const storage = memoryStorage();
  vi.stubGlobal('localStorage', storage);
  const store = createConversationStore('https://a.example', 'pk_1');
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
    vi.stubGlobal('localStorage', storage);
    storage.setItem('parley:https://a.example:pk_1', value);
    expect(createConversationStore('https://a.example', 'pk_1').read()).toBeNull();
  },
);

test('where storage is blocked the conversation lives as long as the page', () => {
  const blocked = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
  const store = createConversationStore('https://a.example', 'pk_1');
  store.write(reference);
  expect(store.read()).toEqual(reference);
});

test('another tab hears of the conversation and of its end', async () => {
  vi.stubGlobal('localStorage', memoryStorage());
  const here = createConversationStore('https://a.example', 'pk_tabs');
  const there = createConversationStore('https://a.example', 'pk_tabs');
  const heard = Promise.withResolvers<void>();
  const chosen: unknown[] = [];
  const stop = there.subscribe((each) => {
    chosen.push(each);
    if (chosen.length === 2) heard.resolve();
  });
  const stopHere = here.subscribe(() => chosen.push('echo'));
  here.write(reference);
  here.write(null);
  await heard.promise;
  stop();
  stopHere();
  expect(chosen).toEqual([reference, null]);
});
