import { visitorTokenHeader } from './visitor-token-header.ts';

/** What tells whoever began a session by a stream which one it is. */
export const startHeaders = (platform: string) => ({
  sessionId: `x-${platform}-session-id`,
  continuationToken: `x-${platform}-continuation-token`,
});

export const sessionHeaders = (platform: string) => ({
  ...startHeaders(platform),
  streamFormat: `x-${platform}-stream-format`,
  streamVersion: `x-${platform}-stream-version`,
  streamTailIndex: `x-${platform}-stream-tail-index`,
  visitorToken: visitorTokenHeader(platform),
});

/** The header of a tool's request with the signed JWT that names the visitor. */
export const visitorHeaderName = (platform: string) => `x-${platform}-visitor`;

export const streamFormat = 'ndjson';
export const streamVersion = '21';
export const streamContentType = 'application/x-ndjson; charset=utf-8';
