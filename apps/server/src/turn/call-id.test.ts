import { expect, test } from 'vitest';
import { callIdAt } from './call-id.ts';

test('no two calls of a session share an id, nor do two sessions, and the same call keeps its own', () => {
  const ids = new Set<string>();
  for (const session of ['session_1', 'session_2']) {
    for (let call = 0; call < 10_000; call += 1) {
      ids.add(callIdAt(session, Math.floor(call / 100), Math.floor(call / 10) % 10, call % 10));
    }
  }
  expect(ids.size).toBe(20_000);
  expect(callIdAt('session_1', 1, 2, 3)).toBe(callIdAt('session_1', 1, 2, 3));
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
});
