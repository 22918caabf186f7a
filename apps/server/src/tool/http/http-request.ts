import type { RequestTemplate } from './secret-values.ts';
import {
  type Arguments,
  type Json,
  fillHeader,
  fillJson,
  fillQuery,
  fillSegment,
  placeholders,
} from './template.ts';

export interface HttpRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** The parts of a URL template: an origin that is taken as it stands, and the segments that may be filled. */
export function splitUrl(url: string): { origin: string; segments: string[] } | undefined {
  const match = /^(https?:\/\/[^/?#\\{}@\s]+)(\/.*)?$/i.exec(url);
  if (!match) return undefined;
  const [, origin = '', path = '/'] = match;
  if (/[?#\\]/.test(path.replaceAll(/\{\{[^{}]*\}\}/g, '')) || !URL.canParse(origin)) return undefined;
  return { origin, segments: path.slice(1).split('/') };
}

/** Every placeholder of a template where one may stand. */
export function requestPlaceholders(request: RequestTemplate): string[] {
  return [
    ...placeholders(request.url),
    ...Object.values(request.query ?? {}).flatMap(placeholders),
    ...Object.values(request.headers ?? {}).flatMap(placeholders),
    ...(request.body === undefined ? [] : jsonStrings(request.body).flatMap(placeholders)),
  ];
}

function jsonStrings(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap((item) => jsonStrings(item));
}

/** What is sent for these arguments. Throws `UnusableArgument`. */
export function fillRequest(template: RequestTemplate, args: Arguments): HttpRequest {
  const parts = splitUrl(template.url);
  if (!parts) throw new TypeError('The URL template was not checked.');
  const url = new URL(parts.origin);
  url.pathname = `/${parts.segments.map((segment) => fillSegment(segment, args)).join('/')}`;
  for (const [name, value] of Object.entries(template.query ?? {})) {
    for (const text of fillQuery(value, args)) url.searchParams.append(name, text);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(template.headers ?? {})) {
    const filled = fillHeader(value, args);
    if (filled !== undefined) headers[name.toLowerCase()] = filled;
  }
  const json = template.body === undefined ? undefined : fillJson(template.body, args);
  if (json !== undefined) headers['content-type'] ??= 'application/json';
  return { url: url.href, headers, body: json === undefined ? undefined : JSON.stringify(json) };
}
