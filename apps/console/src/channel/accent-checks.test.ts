import { expect, test } from 'vitest';
import { accentChecks, nearestAccent, passes, ratioText, type Theme } from './accent-checks.ts';

const both: readonly Theme[] = ['light', 'dark'];
const failing = (accent: string, themes = both) =>
  accentChecks(accent, themes)
    .filter((check) => !passes(check))
    .map(({ theme, criterion }) => `${theme} ${criterion}`);

test('the ratios are those of WCAG, in both themes', () => {
  const [words, , button] = accentChecks('#767676', ['light']);
  // The grey that is known for being the lightest that is read on white.
  expect(ratioText(words?.ratio ?? 0)).toBe('4.54:1');
  expect(words).toMatchObject({ foreground: '#ffffff', background: '#767676', least: 4.5 });
  expect(button?.ratio).toBeCloseTo(words?.ratio ?? 0);
  expect(failing('#2563eb')).toEqual([]);
  expect(ratioText(4.499)).toBe('4.49:1');
});

test.each([
  ['#fef08a', both, ['light 1.4.11 Non-text Contrast']],
  ['#000000', both, ['dark 1.4.11 Non-text Contrast']],
  ['#000000', ['light'] as const, []],
  // Neither white nor ink is read on it.
  ['#767b7f', both, ['light 1.4.3 Contrast', 'dark 1.4.3 Contrast']],
])('%s fails where it does, and the nearest colour does not', (accent, themes, expected) => {
  expect(failing(accent, themes)).toEqual(expected);
  const nearest = nearestAccent(accent, themes) ?? '';
  expect(failing(nearest, themes)).toEqual([]);
  expect(nearest === accent).toBe(expected.length === 0);
});

test('of every hue there is one that passes, and it is no farther than it has to be', () => {
  for (let hue = 0; hue < 4096; hue += 37) {
    const accent = `#${hue.toString(16).padStart(3, '0').replaceAll(/./g, '$&$&')}`;
    expect(failing(nearestAccent(accent, both) ?? accent), accent).toEqual([]);
  }
  expect(nearestAccent('#2563eb', both)).toBe('#2563eb');
});
