import { originOf } from '../ui/origin.ts';

/** The address of what somebody typed for their website, its path kept; null when it is none. */
export function addressOf(typed: string): string | null {
  const origin = originOf(typed);
  if (origin === null || origin.includes('*')) return null;
  const url = URL.parse(
    /^https?:\/\//i.test(typed.trim()) ? typed.trim() : origin + typed.trim().replace(/^[^/?#]*/, ''),
  );
  if (url === null) return null;
  url.hash = '';
  return url.href;
}

/** Below `co.uk` and the like stand the names of websites, as below `com`. */
const secondLevel = /\.(?:ac|co|com|edu|go|gob|gov|gv|ne|net|nom|or|org|sch)\.[a-z]{2}$/;

const isOwnName = (hostname: string): boolean =>
  hostname.split('.').length === (secondLevel.test(hostname) ? 3 : 2);

/** The origins under which visitors reach a website: with and without `www.`. */
export function originsOf(address: string): readonly string[] {
  const { protocol, host, hostname, origin } = new URL(address);
  if (!/[a-z]/i.test(hostname) || hostname === 'localhost') return [origin];
  const other = host.startsWith('www.') ? host.slice(4) : `www.${host}`;
  // A name below another name has no `www.` of its own.
  return host.startsWith('www.') || isOwnName(hostname) ? [origin, `${protocol}//${other}`] : [origin];
}
