import { expect, test } from 'vitest';
import { createSessionId } from './session-id.ts';

test('ids of sessions have 128 bits, and no two of a thousand are alike', () => {
  const ids = Array.from({ length: 1_000 }, createSessionId);
  for (const id of ids) expect(id).toMatch(/^ses_[0-9a-f]{32}$/);
  expect(new Set(ids).size).toBe(ids.length);
  // What was handed out is overwritten, and only then is the memory filled anew.
  expect(ids.filter((id) => /0{24}/.test(id))).toEqual([]);
});
