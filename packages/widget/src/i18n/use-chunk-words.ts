import { useWidget } from '../widget-context.ts';
import { fill } from './labels.ts';

/** What a chunk that is loaded later says, by name: in the page's own words, else in the visitor's language, else in English. */
export function useChunkWords<Name extends string>(
  languages: Readonly<Record<string, Readonly<Record<Name, string>>>>,
  english: Readonly<Record<Name, string>>,
): (name: Name, values?: Record<string, string>) => string {
  const { labels, locale } = useWidget();
  const own = labels as Readonly<Record<string, string | undefined>>;
  const spoken = languages[locale.split('-')[0]!] ?? english;
  return (name, values = {}) => fill(own[name] ?? spoken[name], values);
}
