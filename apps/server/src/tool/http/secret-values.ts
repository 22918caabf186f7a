import { isCredentialName, isQueryCredentialName } from '@parley/protocol/settings/credential-name';
import type { SecretValue, HttpToolRequest } from '@parley/protocol/settings/http-tool';
import type { Json } from './template.ts';

/** A tool's request with every secret in its place: what is filled and sent. */
export type RequestTemplate = Omit<HttpToolRequest, 'query'> & { readonly query?: Record<string, string> };

export type Path = readonly (string | number)[];

/** Nothing but placeholders. */
const isTemplate = (text: string): boolean => text.replaceAll(/\{\{[^{}]*\}\}/g, '').trim() === '';

export function isSecret(value: unknown): value is SecretValue {
  return (
    typeof value === 'object' && value !== null && '$secret' in value && typeof value.$secret === 'string'
  );
}

/** The request with every string of its query and body that stands under a credential's name marked as a secret. */
export function markSecrets<Request extends Pick<HttpToolRequest, 'query' | 'body'>>(
  request: Request,
): Request {
  const { query, body } = request;
  const mark = (text: string): SecretValue | string => (isTemplate(text) ? text : { $secret: text });
  const marked = (value: Json, name: string): Json => {
    if (typeof value === 'string') return isCredentialName(name) ? mark(value) : value;
    if (value === null || typeof value !== 'object' || isSecret(value)) return value;
    if (Array.isArray(value)) return value.map((item) => marked(item, name));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, marked(item, key)]));
  };
  const inQuery = ([name, value]: [string, string | SecretValue]) => {
    return [name, isQueryCredentialName(name) && typeof value === 'string' ? mark(value) : value];
  };
  return {
    ...request,
    ...(query && { query: Object.fromEntries(Object.entries(query).map(inQuery)) }),
    ...(body !== undefined && { body: marked(body, '') }),
  };
}

/** A JSON value with another in place of every `{"$secret": …}`; one that becomes undefined is left out. */
export function mapSecrets(
  value: unknown,
  replace: (secret: unknown, path: Path) => unknown,
  path: Path = [],
): unknown {
  if (value === null || typeof value !== 'object') return value;
  if ('$secret' in value) return replace(value.$secret, path);
  if (Array.isArray(value))
    return value
      .map((item, index) => mapSecrets(item, replace, [...path, index]))
      .filter((item) => item !== undefined);
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    mapSecrets(item, replace, [...path, key]),
  ]);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** The request as it is filled and sent, and the secrets of its query and body. */
export function requestTemplate(request: HttpToolRequest): {
  readonly template: RequestTemplate;
  readonly secrets: readonly string[];
} {
  const secrets: string[] = [];
  const reveal = (value: unknown) =>
    mapSecrets(value, (secret) => {
      secrets.push(String(secret));
      return secret;
    });
  const { query, body, ...rest } = request;
  const template = {
    ...rest,
    ...(query && { query: reveal(query) as Record<string, string> }),
    ...(body !== undefined && { body: reveal(body) as Json }),
  };
  return { template, secrets };
}
