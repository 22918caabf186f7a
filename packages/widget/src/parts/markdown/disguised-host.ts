import { hidden, type SafeUrl, safeUrl } from './safe-url.ts';

/**
 * The host a link really leads to, when its text reads like the address of another one, or when a user name stands before
 * the host and may be taken for it.
 */
export function disguisedHost(text: string, url: SafeUrl): string | null {
  const { username, password } = new URL(url.href);
  if (username || password) return url.host;
  const visible = text.replace(hidden, '');
  if (url.href === visible || url.href === `${visible}/`) return null;
  const looksLikeAddress = /^(?:[a-z][a-z0-9+.-]{0,20}:|www\.|[^\s/@]{1,253}\.[a-z]{2,24}(?:[/:?#]|$))/i.test(
    visible,
  );
  if (!looksLikeAddress) return null;
  const shown = safeUrl(visible.includes(':') ? visible : `https://${visible}`);
  return shown !== null && shown.host === url.host ? null : url.host;
}
