import { expect, test } from 'vitest';
import ar from './ar.ts';
import { cardLabels } from './card-labels.ts';
import { countLabel } from './count-label.ts';
import de from './de.ts';
import es from './es.ts';
import fr from './fr.ts';
import he from './he.ts';
import ja from './ja.ts';
import { labels, type LabelName } from './labels.ts';
import pt from './pt.ts';
import zh from './zh.ts';

const languages = { en: { ...labels, ...cardLabels }, de, fr, es, pt, ja, zh, ar, he };
type Language = keyof typeof languages;
const words = (locale: Language) => ({ label: (name: LabelName) => languages[locale][name], locale });

test.each([
  ['en', ['1 new message', '2 new messages']],
  ['de', ['1 neue Nachricht', '2 neue Nachrichten']],
  ['fr', ['1 nouveau message', '2 nouveaux messages']],
  ['es', ['1 mensaje nuevo', '2 mensajes nuevos']],
  ['pt', ['1 nova mensagem', '2 novas mensagens']],
  ['ja', ['新着メッセージ 1 件', '新着メッセージ 2 件']],
  ['zh', ['1 条新消息', '2 条新消息']],
  ['he', ['הודעה חדשה אחת', 'שתי הודעות חדשות']],
] as const)('%s has a form for one and for two', (locale, said) => {
  expect([1, 2].map((count) => countLabel(words(locale), 'newMessages', count))).toEqual(said);
});

test('Arabic has six', () => {
  expect([0, 1, 2, 3, 11, 100].map((count) => countLabel(words('ar'), 'characters', count))).toEqual([
    'لم يبقَ أي حرف',
    'بقي حرف واحد',
    'بقي حرفان',
    'بقيت 3 أحرف',
    'بقي 11 حرفًا',
    'بقي 100 حرف',
  ]);
});

test('every language says what is counted in every form that it has, and in no other', () => {
  for (const [locale, language] of Object.entries(languages)) {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    // Of millions, which nothing here counts.
    const has = pluralCategories.filter((each) => each !== 'many' || locale === 'ar');
    for (const name of ['newMessages', 'moreRows', 'filesAllowed', 'deleting'] as const) {
      const forms = language[name].split('|').map((form) => /^[a-z]+(?=:)/.exec(form)?.[0] ?? 'other');
      expect({ locale, name, forms: forms.toSorted() }).toEqual({ locale, name, forms: has.toSorted() });
    }
  }
});

test('a large number is written as it is in the language, and words of a page need no forms', () => {
  expect(countLabel(words('de'), 'moreRows', 1_200)).toBe('1.200 weitere Zeilen werden nicht gezeigt.');
  expect(countLabel({ label: () => 'Neu: {count}', locale: 'de' }, 'newMessages', 1)).toBe('Neu: 1');
});

test('a visitor of a language that is not spoken here reads English as English has it, and a page in its own forms', () => {
  const russian = (label: (name: LabelName) => string) => ({ label, locale: 'ru' });
  const english = russian((name) => languages.en[name]);
  expect([1, 2, 21].map((count) => countLabel(english, 'newMessages', count))).toEqual([
    '1 new message',
    '2 new messages',
    '21 new messages',
  ]);
  const own = russian(() => 'one:{count} письмо|few:{count} письма|many:{count} писем');
  expect([2, 5, 21].map((count) => countLabel(own, 'newMessages', count))).toEqual([
    '2 письма',
    '5 писем',
    '21 письмо',
  ]);
});
