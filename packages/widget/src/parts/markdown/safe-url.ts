export type SafeUrl = { href: string; host: string };

const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Characters that hide or reorder text: C0, DEL, spaces, soft hyphen, zero-width, bidi controls, tag characters. */
export const hidden =
  // oxlint-disable-next-line no-control-regex -- control characters are what it removes
  /[\u0000-\u0020\u007f-\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u206f\u3000\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * The http, https, mailto or tel address a link may lead to; anything else is not a link. A path is one of the page's own
 * site. In a frame that is another's, which nobody can tell.
 */
export function safeUrl(raw: string): SafeUrl | null {
  const { location, parent, window } = globalThis;
  const text = raw.replace(hidden, '');
  let url: URL;
  try {
    url = new URL(text, text && parent === window ? location?.origin : undefined);
  } catch {
    return null;
  }
  if (!schemes.has(url.protocol)) return null;
  if (url.protocol === 'mailto:' || url.protocol === 'tel:') return { href: url.href, host: url.pathname };
  return url.host === '' ? null : { href: url.href, host: url.host };
}
