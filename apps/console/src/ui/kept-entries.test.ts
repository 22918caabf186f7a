import { beforeEach, expect, test, vi } from 'vitest';
import { forgetEntries, keepEntries, keepEntriesOf, keptEntries } from './kept-entries.ts';

/** As a browser's, which keeps `room` characters. */
function storage(room = Infinity) {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > room) throw new DOMException('Full', 'QuotaExceededError');
      items.set(key, value);
    },
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
  };
}

let kept: ReturnType<typeof storage>;
beforeEach(() => {
  kept = storage();
  vi.stubGlobal('sessionStorage', kept);
});

test('what was entered is there after a reload, and a secret is written nowhere', () => {
  keepEntries('agent', { name: 'Fern', apiKey: 'sk-canary' }, ['apiKey']);
  expect(keptEntries('agent')).toEqual({ name: 'Fern' });
  expect([...kept.items].join()).not.toContain('canary');
  keepEntries('agent', { apiKey: 'sk-canary' }, ['apiKey']);
  expect(keptEntries('agent')).toEqual({});
  keepEntries('agent', { name: 'Fern' });
  forgetEntries('agent');
  expect(keptEntries('agent')).toEqual({});
});

test('it is there after the session for whoever entered it, and for nobody else', () => {
  keepEntriesOf('member_1');
  keepEntries('agent', { name: 'Fern' });
  keepEntriesOf('member_1');
  expect(keptEntries('agent')).toEqual({ name: 'Fern' });
  keepEntriesOf('member_2');
  expect(keptEntries('agent')).toEqual({});
});

test('a tab that may keep no more lets somebody go on, and what is no JSON is as good as nothing', () => {
  vi.stubGlobal('sessionStorage', storage(10));
  expect(() => keepEntries('agent', { name: 'A name that is too long' })).not.toThrow();
  kept.items.set('form agent', '{');
  vi.stubGlobal('sessionStorage', kept);
  expect(keptEntries('agent')).toEqual({});
});
