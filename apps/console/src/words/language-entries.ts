import type { WidgetSettings } from '@parley/protocol/settings/widget';
import { type VisitorForm, formProblems } from './form-entries.ts';

export type Languages = NonNullable<WidgetSettings['languages']>;
export type Words = Languages[string];

const maxLanguages = 30;
/** Those that the widget itself speaks. */
export const spokenLanguages = ['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'pt', 'zh'];

/** An entry of the agent's form as what it stands for. */
export const languagesOf = (entry: string): Languages =>
  entry === '' ? {} : (JSON.parse(entry) as Languages);

export const languagesEntry = (languages: Languages | undefined): string =>
  languages && Object.keys(languages).length > 0 ? JSON.stringify(languages) : '';

/** Words that are empty are those of everybody. */
export function withWords(
  words: Words,
  change: { readonly [Field in keyof Words]: Words[Field] | undefined },
): Words {
  const all = Object.entries({ ...words, ...change });
  return Object.fromEntries(
    all.filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Words;
}

/** As somebody says it who reads this screen: `German (de)`. */
export function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(tag);
    return name === undefined ? tag : `${name} (${tag})`;
  } catch {
    return tag;
  }
}

/** Why a language cannot be added; null: it can. */
export function tagProblem(tag: string, languages: Languages): string | null {
  if (!/^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})*$/.test(tag) || tag.length > 35)
    return 'Enter a language such as de or pt-BR.';
  if (Object.keys(languages).some((each) => each.toLowerCase() === tag.toLowerCase()))
    return `${languageName(tag)} is there already.`;
  return Object.keys(languages).length < maxLanguages ? null : `${maxLanguages} languages at most.`;
}

const maxPrompts = 4;

/** What is wrong with the words of a language, by the place in them. */
export function wordsProblems({ prompts = [], consent, form }: Words): Record<string, string> {
  const found: Record<string, string> = {};
  if (prompts.length > maxPrompts) found['prompts'] = 'Four prompts at most: more than that nobody reads.';
  else if (prompts.some((prompt) => prompt.length > 200))
    found['prompts'] = 'A prompt has 200 characters at most.';
  if (consent?.link !== undefined && !/^https?:\/\/./.test(consent.link))
    found['consentLink'] = 'Enter an address such as https://www.example.com/privacy.';
  if (consent && consent.text.trim() === '')
    found['consentText'] = 'Write what visitors agree to, or remove the link.';
  for (const [place, problem] of Object.entries(form ? formProblems(form as VisitorForm) : {}))
    found[`form.${place}`] = problem;
  return found;
}

export const hasWordsProblems = (languages: Languages): boolean =>
  Object.values(languages).some((words) => Object.keys(wordsProblems(words)).length > 0);
