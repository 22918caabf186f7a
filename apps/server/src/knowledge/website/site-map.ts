/** No two runs of spaces beside each other: how to share a long one out would be tried in every way. */
const location = /<loc>\s*(?:<!\[CDATA\[\s*)?([^<\]\s]{1,2000})/gi;
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
/** Addresses that one file may name, as its format has it. */
const maxLocations = 50_000;

export interface SiteMap {
  /** Of further such files. */
  readonly maps: readonly string[];
  readonly pages: readonly string[];
}

/** The addresses in a sitemap, or in an index of sitemaps. */
export function readSiteMap(xml: string): SiteMap {
  const found: string[] = [];
  for (const [, address = ''] of xml.matchAll(location)) {
    if (found.length >= maxLocations) break;
    found.push(address.replaceAll(/&(?:amp|lt|gt|quot|apos);/g, (entity) => entities[entity]!));
  }
  return /<sitemapindex[\s>]/i.test(xml) ? { maps: found, pages: [] } : { maps: [], pages: found };
}
