import { expect, test } from 'vitest';
import { TextPauses, textPieces } from './text-pieces.ts';

test('a long text is cut into pieces, and no character is', () => {
  for (const text of ['', 'short', `a${'😀'.repeat(5_000)}`, 'x'.repeat(12_000), `${'x'.repeat(3_999)}😀`]) {
    const pieces = textPieces(text);
    expect(pieces.join('')).toBe(text);
    for (const piece of pieces) {
      expect(piece.isWellFormed()).toBe(true);
      expect(piece.length).toBeLessThanOrEqual(4_001);
    }
  }
});

test('others have their turn after four thousand characters, however they were cut', () => {
  const pauses = new TextPauses();
  const due = Array.from({ length: 9 }, () => pauses.isDue('x'.repeat(1_500)));
  expect(due).toEqual([false, false, true, false, false, true, false, false, true]);
});
