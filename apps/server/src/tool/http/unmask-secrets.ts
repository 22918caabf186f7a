import { isDeepStrictEqual } from 'node:util';
import type { HttpToolPatch, HttpToolSettings } from '@parley/protocol/settings/http-tool';
import { ToolSettingsError } from '../tool-settings-error.ts';
import { type Path, isSecret, mapSecrets } from './secret-values.ts';
import { maskSecret } from './tool-secrets.ts';

/**
 * The patch with stored secrets in place of the masks that a client has sent back. A secret entered for one host is
 * not kept for another. Throws `ToolSettingsError`.
 */
export function unmaskSecrets({ request: stored }: HttpToolSettings, patch: HttpToolPatch): HttpToolPatch {
  const { request } = patch;
  if (request === undefined) return patch;
  const sameHost = request.url === undefined || originOf(request.url) === originOf(stored.url);
  const kept = <Value>(field: 'query' | 'body', given: Value): Value => {
    if (given === undefined)
      return (sameHost ? undefined : mapSecrets(stored[field], () => undefined)) as Value;
    const put = (mask: unknown, path: Path): unknown => {
      if (typeof mask === 'string') return { $secret: mask };
      const before = sameHost ? at(stored[field], path) : undefined;
      if (!isSecret(before) || !isDeepStrictEqual(mask, maskSecret(before.$secret)))
        throw new ToolSettingsError({
          path: ['request', field, ...path],
          message:
            'Expected the secret itself: this one is not stored here, or was entered for another host.',
        });
      return before;
    };
    return mapSecrets(given, put) as Value;
  };
  const query = kept('query', request.query);
  const body = kept('body', request.body);
  const names = Object.keys(stored.headers ?? {});
  const dropped = sameHost ? {} : Object.fromEntries(names.map((name) => [name, null]));
  const headers = request.headers === null ? null : { ...dropped, ...request.headers };
  return {
    ...patch,
    request: {
      ...request,
      ...(query !== undefined && { query }),
      ...(body !== undefined && { body }),
      ...((request.headers !== undefined || !sameHost) && { headers }),
    },
  };
}

function at(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}

const originOf = (url: string): string | undefined => URL.parse(url)?.origin;
