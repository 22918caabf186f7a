import type { Labels } from '../labels/labels.ts';

/** The languages the widget speaks besides English. */
const languages = {
  de: () => import('../labels/de.ts'),
  fr: () => import('../labels/fr.ts'),
  es: () => import('../labels/es.ts'),
  pt: () => import('../labels/pt.ts'),
  ja: () => import('../labels/ja.ts'),
  zh: () => import('../labels/zh.ts'),
  ar: () => import('../labels/ar.ts'),
  he: () => import('../labels/he.ts'),
};

/** The words of a language, none of them if it is English or not spoken here. */
export async function loadLanguage(locale: string): Promise<Partial<Labels>> {
  const load = languages[languageOf(locale) as keyof typeof languages];
  return load ? (await load()).default : {};
}

export const isRightToLeft = (locale: string) => /^(ar|he)$/.test(languageOf(locale));

const languageOf = (locale: string) => locale.toLowerCase().split(/[-_]/)[0]!;
