import { expect, test } from 'vitest';
import { listenToBytes, noteBytes } from './received-bytes.ts';

test('a listener hears of the bytes of its own request until it stops', () => {
  const [one, other] = [new AbortController().signal, new AbortController().signal];
  let heard = 0;
  const stop = listenToBytes(one, () => (heard += 1));
  noteBytes(one);
  noteBytes(other);
  noteBytes(null);
  expect(heard).toBe(1);
  stop();
  noteBytes(one);
  expect(heard).toBe(1);
});
