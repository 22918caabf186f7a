import type { HttpToolView, HttpToolSettings } from '@parley/protocol/settings/http-tool';
import { z } from 'zod';
import { mapSecrets } from './secret-values.ts';

/** What is encrypted at rest: every header value, whatever the header, and the secrets of query and body. */
export interface ToolSecrets {
  readonly headers: Readonly<Record<string, string>>;
  /** In the order in which the plain part counts them: `{"$secret": 0}`, … */
  readonly values: readonly string[];
}

const headersSchema = z.record(z.string(), z.string());
export const toolSecretsSchema: z.ZodType<ToolSecrets> = z.union([
  z.strictObject({ headers: headersSchema, values: z.array(z.string()) }),
  // Encrypted by a version in which only headers were secret.
  headersSchema.transform((headers): ToolSecrets => ({ headers, values: [] })),
]);

/** The settings as they may lie in plain sight. */
export type ToolConfig = Omit<HttpToolSettings, 'request'> & {
  readonly request: Omit<HttpToolSettings['request'], 'headers' | 'query' | 'body'> & {
    readonly query?: unknown;
    readonly body?: unknown;
  };
};

const CHARACTERS_SHOWN = 4;
/** Of a shorter secret, four characters would be too much to show. */
const SHOWABLE_LENGTH = 12;

export function splitToolSettings(settings: HttpToolSettings): { config: ToolConfig; secrets: ToolSecrets } {
  const { headers = {}, query, body, ...rest } = settings.request;
  const values: string[] = [];
  const take = (value: unknown) =>
    mapSecrets(value, (secret) => ({ $secret: values.push(String(secret)) - 1 }));
  const request = {
    ...rest,
    ...(query && { query: take(query) }),
    ...(body !== undefined && { body: take(body) }),
  };
  return { config: { ...settings, request }, secrets: { headers, values } };
}

/** The settings as they were before the split. The caller checks them: a database may hold anything. */
export function joinToolSettings(config: object, secrets: ToolSecrets | null): unknown {
  const { headers, values } = secrets ?? { headers: {}, values: [] };
  const put = (value: unknown) => mapSecrets(value, (place) => ({ $secret: values[Number(place)] }));
  const stored: unknown = 'request' in config ? config.request : null;
  if (typeof stored !== 'object' || stored === null) return config;
  const { query, body, ...rest } = stored as Record<string, unknown>;
  const request = {
    ...rest,
    ...(query !== undefined && { query: put(query) }),
    ...(body !== undefined && { body: put(body) }),
    ...(Object.keys(headers).length > 0 && { headers: { ...headers } }),
  };
  return { ...config, request };
}

/** A secret as the settings API shows it. */
export function maskSecret(value: string): { set: true; last4: string } {
  return { set: true, last4: value.length < SHOWABLE_LENGTH ? '' : value.slice(-CHARACTERS_SHOWN) };
}

/** The request with every secret masked. */
export function maskToolSecrets({ headers, query, body, ...request }: HttpToolSettings['request']): unknown {
  const mask = (value: unknown) => mapSecrets(value, (secret) => ({ $secret: maskSecret(String(secret)) }));
  const masked = Object.entries(headers ?? {}).map(([name, value]) => [name, maskSecret(value)]);
  return {
    ...request,
    ...(query && { query: mask(query) }),
    ...(body !== undefined && { body: mask(body) }),
    ...(headers && { headers: Object.fromEntries(masked) as HttpToolView['request']['headers'] }),
  };
}
