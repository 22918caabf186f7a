import { expect, test } from 'vitest';
import ar from './ar.ts';
import { cardLabels } from './card-labels.ts';
import de from './de.ts';
import es from './es.ts';
import fr from './fr.ts';
import he from './he.ts';
import ja from './ja.ts';
import { fill, type LabelName, labels, type Labels } from './labels.ts';
import pt from './pt.ts';
import zh from './zh.ts';

const english: Labels = { ...labels, ...cardLabels };
const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

const languages = { ar, de, es, fr, he, ja, pt, zh };

/** What is the same word in English and there. */
const shared: Partial<Record<keyof typeof languages, LabelName[]>> = {
  de: ['code', 'signInCode'],
  es: ['no', 'audio'],
  fr: [
    'conversation',
    'message',
    'prompts',
    'code',
    'image',
    'menu',
    'conversations',
    'question',
    'images',
    'audio',
    'sources',
  ],
  pt: ['menu'],
};

test.each(Object.entries(languages))(
  'every word is said in %s, with the same places to fill',
  (_, language) => {
    expect(Object.keys(language).toSorted()).toEqual(Object.keys(english).toSorted());
    for (const [name, text] of Object.entries(language)) {
      expect(text.trim()).not.toBe('');
      expect(text).not.toContain('\n');
      // However many forms for a number there are.
      expect(new Set(places(text))).toEqual(new Set(places(english[name as keyof Labels])));
    }
  },
);

test.each(Object.entries(languages))('nothing is left in English in %s', (code, language) => {
  const said = Object.entries(language) as [LabelName, string][];
  const same = said.filter(([name, text]) => text === english[name]).map(([name]) => name);
  expect(same).toEqual(shared[code as keyof typeof languages] ?? []);
  const words = /\b(the|you|your|this|that|and|of|with|could|cannot)\b/i;
  expect(said.filter(([, text]) => words.test(text))).toEqual([]);
});

test('a place is filled by its name, and one that nobody fills stays', () => {
  expect(fill('{count} of {all}', { count: 3 })).toBe('3 of {all}');
});
