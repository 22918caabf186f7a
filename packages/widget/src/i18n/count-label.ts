import { cardLabels } from './card-labels.ts';
import { fill, type LabelName, type Words } from './labels.ts';

/**
 * A sentence with a number, in the form that the language has for that number: `one:{count} file|other:{count} files`.
 * Words in English have English forms, for visitors of a language that the widget does not speak too; a page's own words
 * need none.
 */
export function countLabel({ label, locale }: Words, name: LabelName, count: number): string {
  const spoken = label(name) === cardLabels[name as keyof typeof cardLabels] ? 'en' : locale;
  const category = new Intl.PluralRules(spoken).select(count);
  const forms = new Map(
    label(name)
      .split('|')
      .map((form) => /^(?:(zero|one|two|few|many|other):)?([^]*)/.exec(form)!)
      .map(([, named = 'other', text]) => [named, text!]),
  );
  return fill(forms.get(category) ?? forms.get('other') ?? '', {
    count: new Intl.NumberFormat(spoken).format(count),
  });
}
