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

/** The origins under which visitors reach a website: with and without `www.`. */
export function originsOf(address: string): readonly string[] {
  const { protocol, host, hostname, origin } = new URL(address);
  if (!/[a-z]/i.test(hostname) || hostname === 'localhost') return [origin];
  const other = host.startsWith('www.') ? host.slice(4) : `www.${host}`;
  // A name below another name has no `www.` of its own.
  return host.startsWith('www.') || host.split('.').length === 2
    ? [origin, `${protocol}//${other}`]
    : [origin];
}
