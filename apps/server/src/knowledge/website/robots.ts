import robotsParser from 'robots-parser';

/** What a website asks of those who read it by themselves. */
export interface Robots {
  isDisallowed(url: string, userAgent: string): boolean | undefined;
  getSitemaps(): string[];
}

/** Characters of it that are read: as many as RFC 9309 asks a reader to read. */
const maxLength = 512 * 1_024;
const maxRules = 2_000;
/** Characters of all rules with a wildcard together: each is compared with every place of an address. */
const maxWildcardLength = 5_000;

/** `text` is what its `robots.txt` says; empty: it asks nothing. */
export function parseRobots(url: string, text: string): Robots {
  // Its types describe another module format than the one it has.
  return (robotsParser as unknown as (url: string, text: string) => Robots)(url, boundedRules(text));
}

/** Rules beyond what can be looked at for every page are left out. */
function boundedRules(text: string): string {
  let rules = 0;
  let wildcardLength = 0;
  const lines = text.slice(0, maxLength).split(/\r\n?|\n/);
  const kept = lines.filter((line) => {
    if (!/^\s*(?:dis)?allow\s*:/i.test(line)) return true;
    rules += 1;
    if (rules > maxRules) return false;
    if (!line.includes('*')) return true;
    wildcardLength += line.length;
    return wildcardLength <= maxWildcardLength;
  });
  return kept.join('\n');
}
