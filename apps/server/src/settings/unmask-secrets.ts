import { isDeepStrictEqual } from 'node:util';
import type { ToolPatch, ToolSettings } from '@parley/protocol/settings/tool';
import { type Path, isSecret, mapSecrets } from '../tool/secret-values.ts';
import { maskSecret } from '../tool/tool-secrets.ts';

/** A patch names a secret by its mask where none is kept for it. */
export class UnknownSecretError extends Error {
  override readonly name = 'UnknownSecretError';
  readonly path: Path;

  constructor(path: Path) {
    super('Expected the secret itself: this one is not stored here, or was entered for another host.');
    this.path = path;
  }
}

/**
 * The patch with stored secrets in place of the masks that a client has sent back. A secret entered for one host is
 * not kept for another. Throws `UnknownSecretError`.
 */
export function unmaskSecrets({ request: stored }: ToolSettings, patch: ToolPatch): ToolPatch {
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
        throw new UnknownSecretError(['request', field, ...path]);
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
