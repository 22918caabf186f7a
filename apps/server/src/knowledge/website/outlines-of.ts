import type { Outline } from './prompts-of.ts';

/** The pages of a source by the titles of their passages, which name the headings that they stand under. */
export function outlinesOf(
  titles: readonly { readonly place: string; readonly title: string }[],
): readonly Outline[] {
  const pages = new Map<string, { title: string; headings: string[] }>();
  for (const { place, title } of titles) {
    const [first = '', ...headings] = title.split(' › ');
    const page = pages.get(place) ?? { title: first, headings: [] };
    pages.set(place, page);
    const last = headings.at(-1);
    if (last !== undefined && !page.headings.includes(last)) page.headings.push(last);
  }
  return [...pages.values()];
}
