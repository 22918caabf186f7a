import { createHash } from 'node:crypto';
import type { HttpToolSettings } from '@parley/protocol/settings/http-tool';
import { mapSecrets } from './secret-values.ts';
import { placeholders } from './template.ts';

/**
 * What a person approves beside the arguments: which tool, where it sends what, and how it is approved. A header counts
 * with its name and its placeholders, a secret of query or body with its place and its placeholders: one that is rotated
 * leaves an approval standing.
 */
export function toolFingerprint({ id, name, parameters, request, approval }: HttpToolSettings): string {
  const { method, url, query, body, headers = {} } = request;
  const sentHeaders = Object.entries(headers)
    .map(([header, value]) => [header.toLowerCase(), ...placeholders(value)])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const values = mapSecrets({ query, body }, (secret) => placeholders(String(secret)));
  const shown = { id, name, parameters, method, url, values, sentHeaders, approval };
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}
