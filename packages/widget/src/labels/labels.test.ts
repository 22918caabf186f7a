import { expect, test } from 'vitest';
import ar from './ar.ts';
import { cardLabels } from './card-labels.ts';
import de from './de.ts';
import es from './es.ts';
import fr from './fr.ts';
import he from './he.ts';
import ja from './ja.ts';
import { fill, labels, type Labels } from './labels.ts';
import pt from './pt.ts';
import zh from './zh.ts';

const english: Labels = { ...labels, ...cardLabels };
const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

test.each(Object.entries({ ar, de, es, fr, he, ja, pt, zh }))(
  'every word is said in %s, with the same places to fill',
  (_, language) => {
    expect(Object.keys(language).toSorted()).toEqual(Object.keys(english).toSorted());
    for (const [name, text] of Object.entries(language)) {
      expect(text.trim()).not.toBe('');
      expect(text).not.toContain('\n');
      expect(places(text)).toEqual(places(english[name as keyof Labels]));
    }
  },
);

test('a place is filled by its name, and one that nobody fills stays', () => {
  expect(fill('{count} of {all}', { count: 3 })).toBe('3 of {all}');
});
