/** The origin of what somebody typed for "your website", or null: `example.com/shop` is `https://example.com`. */
export function originOf(typed: string): string | null {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return null;
  if (/^https:\/\/\*\.[^/*]+$/.test(text)) return text;
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(text);
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.hostname.includes('.') || url.hostname === 'localhost' || url.hostname.startsWith('[')
    ? url.origin
    : null;
}
