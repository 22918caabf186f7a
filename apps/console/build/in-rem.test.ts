import { expect, test } from 'vitest';
import { inRem } from './in-rem.ts';

test('sizes grow with the text of the browser, and fine lines stay fine', () => {
  expect(inRem('7px 10.5px')).toBe('0.4375rem 0.65625rem');
  expect(inRem('1px solid')).toBe('1px solid');
  expect(inRem('min(640px, 100dvh - 140px)')).toBe('min(40rem, 100dvh - 8.75rem)');
  expect(inRem('-12px')).toBe('-0.75rem');
  expect(inRem('(max-width: 800px)', 'em')).toBe('(max-width: 50em)');
  expect(inRem('var(--edge-12px)')).toBe('var(--edge-12px)');
});
