/** The languages the widget speaks besides English. */
const languages = {
  de: () => import('./de.ts?words'),
  fr: () => import('./fr.ts?words'),
  es: () => import('./es.ts?words'),
  pt: () => import('./pt.ts?words'),
  ja: () => import('./ja.ts?words'),
  zh: () => import('./zh.ts?words'),
  ar: () => import('./ar.ts?words'),
  he: () => import('./he.ts?words'),
};

/**
 * A page's language, or else the browser's, as a tag that dates can be formatted by. A page may write `en_US`; a browser
 * may be set to `C` or `en-US@posix`, which are no languages to `Intl`.
 */
export function knownLocale(tag: string): string {
  for (const each of [tag, navigator.language]) {
    try {
      return new Intl.Locale(each.replaceAll('_', '-').replace(/@.*/, '')).toString();
    } catch {
      // The next one may be known.
    }
  }
  return 'en';
}

/** The words of a language in the order of the English ones, none of them if it is English or not spoken here. */
export async function loadLanguage(locale: string): Promise<readonly string[]> {
  const load = languages[languageOf(locale) as keyof typeof languages];
  return load ? (await load()).default.split('\n') : [];
}

export const isRightToLeft = (locale: string) => /^(ar|he)$/.test(languageOf(locale));

const languageOf = (locale: string) => locale.split('-')[0]!;
