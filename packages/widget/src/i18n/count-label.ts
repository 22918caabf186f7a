import { fill, type LabelName, type Words } from './labels.ts';

/**
 * A sentence with a number, in the form that the language has for that number: `one:{count} file|other:{count} files`. A
 * page's own words need no forms.
 */
export function countLabel({ label, locale }: Words, name: LabelName, count: number): string {
  const category = new Intl.PluralRules(locale).select(count);
  const forms = new Map(
    label(name)
      .split('|')
      .map((form) => /^(?:(zero|one|two|few|many|other):)?([^]*)/.exec(form)!)
      .map(([, named = 'other', text]) => [named, text!]),
  );
  return fill(forms.get(category) ?? forms.get('other') ?? '', {
    count: new Intl.NumberFormat(locale).format(count),
  });
}
