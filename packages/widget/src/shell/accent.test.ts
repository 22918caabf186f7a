import { expect, test } from 'vitest';
import { accentTokens } from './accent.ts';

/** The WCAG 2 contrast of two colours, worked out apart from the code under test. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [red, green, blue] = [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [
      number,
      number,
      number,
    ];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

test.each(['#fef08a', '#000000', '#ffffff', '#ff0000', '#2563eb', '#808080', '#00ff00', '#7c3aed'])(
  'a brand of %s stays readable',
  (accent) => {
    const tokens = accentTokens(accent);
    expect(contrast(tokens['--parley-on-accent']!, accent)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(tokens['--parley-accent-on-light']!, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(tokens['--parley-accent-on-dark']!, '#20232a')).toBeGreaterThanOrEqual(4.5);
  },
);

test('a colour that is readable as it is stays as it is', () => {
  expect(accentTokens('#2563eb')['--parley-accent-on-light']).toBe('#2563eb');
});
