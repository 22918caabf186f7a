const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const RESERVED: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'cookie',
]);

/** Whether a request may carry a header of this name: those that frame the message or name its receiver are the connection's own. */
export function isSendableHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return TOKEN.test(name) && !RESERVED.has(lower) && !lower.startsWith('proxy-');
}
