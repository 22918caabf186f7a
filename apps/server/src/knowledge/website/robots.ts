import robotsParser from 'robots-parser';
import { userAgent } from './fetch-page.ts';

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
const maxSiteMaps = 100;

/** `text` is what its `robots.txt` says; empty: it asks nothing. */
export function parseRobots(url: string, text: string): Robots {
  // Its types describe another module format than the one it has.
  return (robotsParser as unknown as (url: string, text: string) => Robots)(url, boundedRules(text));
}

const agentLine = /^\s*user-agent\s*:([^/#]*)/i;
const ruleLine = /^\s*(?:dis)?allow\s*:/i;
const siteMapLine = /^\s*sitemap\s*:/i;

/**
 * What it asks of this reader, and of all. The groups of others are left out, since a parser keeps every rule for every
 * reader of its group, and so are rules beyond what can be looked at for every page.
 */
function boundedRules(text: string): string {
  const group = { names: new Set<string>(), isOpen: false };
  const kept = { rules: 0, wildcardLength: 0, siteMaps: 0 };
  return text
    .slice(0, maxLength)
    .split(/\r\n?|\n/)
    .flatMap((line): readonly string[] => {
      const name = agentLine.exec(line)?.[1]?.trim().toLowerCase();
      if (name !== undefined) {
        if (!group.isOpen) group.names.clear();
        group.isOpen = true;
        if (name === '*' || name === userAgent.toLowerCase()) group.names.add(name);
        return [];
      }
      // Any other field ends the head of a group.
      if (line.split('#', 1)[0]?.includes(':')) group.isOpen = false;
      if (siteMapLine.test(line)) return (kept.siteMaps += 1) <= maxSiteMaps ? [line] : [];
      if (!ruleLine.test(line)) return [];
      if (group.names.size === 0 || (kept.rules += 1) > maxRules) return [];
      if (line.includes('*') && (kept.wildcardLength += line.length) > maxWildcardLength) return [];
      return [...[...group.names].map((each) => `User-agent: ${each}`), line];
    })
    .join('\n');
}
