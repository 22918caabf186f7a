import { getPublicSuffix } from 'tldts';

/** A host has 253 characters at most (RFC 1035). */
const maxOriginLength = 300;
const wildcard = 'https://*.';

/**
 * Whether `origin`, as a browser sends it, is among the listed ones. `null` never is. `https://*.host` stands for every
 * subdomain of any depth, as CSP reads it in `frame-ancestors`, and not for the host itself.
 */
export function originListed(origin: string, listed: ReadonlySet<string> | readonly string[]): boolean {
  if (origin === 'null' || origin.length > maxOriginLength) return false;
  const lists = (entry: string) => ('has' in listed ? listed.has(entry) : listed.includes(entry));
  return lists(origin) || lists('*') || wildcardsOf(origin).some((entry) => lists(entry) && isUsable(entry));
}

/** The listed ones that stand for something: a wildcard below a public suffix, from before it was refused, does not. */
export function usableOrigins(listed: readonly string[]): readonly string[] {
  return listed.filter(isUsable);
}

/**
 * The public suffix (ICANN's or a private one, publicsuffix.org) that a wildcard stands below, or null. Sites there
 * belong to anybody who registers one: `https://*.github.io` is every page of GitHub.
 */
export function sharedSuffix(entry: string): string | null {
  if (!entry.startsWith(wildcard)) return null;
  const host = (URL.parse(entry.replace('*.', ''))?.hostname ?? '').replace(/\.$/, '');
  return isPublicSuffix(host) ? host : null;
}

function isUsable(entry: string): boolean {
  return sharedSuffix(entry) === null;
}

/** Also of an address, which has no subdomains. */
function isPublicSuffix(host: string): boolean {
  return (getPublicSuffix(host, { allowPrivateDomains: true }) ?? host) === host;
}

/** Every pattern that covers an origin: its first labels, as many as there are, replaced by one `*`. */
function wildcardsOf(origin: string): string[] {
  const [, host] = /^https:\/\/([^/]+)$/.exec(origin) ?? [];
  const labels = host?.split('.') ?? [];
  return labels.slice(1).map((_, index) => wildcard + labels.slice(index + 1).join('.'));
}
