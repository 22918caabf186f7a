export const sessionHeaders = (platform: string) => ({
  sessionId: `x-${platform}-session-id`,
  streamFormat: `x-${platform}-stream-format`,
  streamVersion: `x-${platform}-stream-version`,
  streamTailIndex: `x-${platform}-stream-tail-index`,
  continuationToken: `x-${platform}-continuation-token`,
  visitorToken: `x-${platform}-visitor-token`,
});

/** The header of a tool's request with the signed JWT that names the visitor. */
export const visitorHeaderName = (platform: string) => `x-${platform}-visitor`;

export const streamFormat = 'ndjson';
export const streamVersion = '21';
export const streamContentType = 'application/x-ndjson; charset=utf-8';
