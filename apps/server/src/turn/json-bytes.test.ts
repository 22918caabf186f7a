import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deltaPieces, maxDeltaLength } from '../events/delta-pieces.ts';
import { cutToJsonBytes, jsonBytes } from './json-bytes.ts';

const text = fc.string({ unit: fc.constantFrom('a', '"', '\u0001', 'é', '\u{1F600}', '\n'), maxLength: 60 });

test('a cut text is the longest whole starting that fits', () => {
  fc.assert(
    fc.property(text, fc.nat(120), (whole, bytes) => {
      const cut = cutToJsonBytes(whole, bytes);
      expect(whole.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
      expect(jsonBytes(cut)).toBeLessThanOrEqual(bytes);
      const [next = ''] = whole.slice(cut.length);
      expect(cut === whole || jsonBytes(cut + next) > bytes).toBe(true);
    }),
  );
});

test('pieces of a delta are the delta, none too long and no character in two', () => {
  const long = `${'a'.repeat(maxDeltaLength - 1)}${'\u{1F600}'.repeat(maxDeltaLength)}`;
  const pieces = [...deltaPieces(long)];
  expect(pieces.join('')).toBe(long);
  for (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(maxDeltaLength);
    expect(piece.isWellFormed()).toBe(true);
  }
  expect([...deltaPieces('')]).toEqual([]);
});
