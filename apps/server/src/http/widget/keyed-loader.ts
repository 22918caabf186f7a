import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { findKey } from '../../auth/find-key.ts';
import type { Encoding, StaticFile } from '../static-file.ts';

/** Made for each request, so at a quality that costs less than a millisecond. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const encodings = {
  br: (body: Buffer) => promisify(brotliCompress)(body, quality),
  gzip: (body: Buffer) => promisify(gzip)(body),
  identity: (body: Buffer) => Promise.resolve(body),
};

interface KeyedLoader extends Pick<StaticFile, 'etag' | 'mediaType'> {
  body(encoding: Encoding): Promise<Buffer>;
}

/**
 * The loader with the look of a key's agent, so that its launcher is right from its first paint; null for no such key.
 * Compressed only for who does not have it yet.
 */
export async function keyedLoader(
  settings: SettingsCache,
  presented: string,
  loader: StaticFile,
): Promise<KeyedLoader | null> {
  const face = await faceOf(settings, presented);
  if (face === null) return null;
  // In a block: the page's own scripts do not see the constant.
  const opening = `{const FACE=${JSON.stringify(face)};`;
  const etag = createHash('sha256').update(opening).update(loader.etag).digest('base64url').slice(0, 22);
  return {
    etag,
    mediaType: loader.mediaType,
    body: (encoding) =>
      encodings[encoding](Buffer.concat([Buffer.from(opening), loader.bodies.identity, Buffer.from('}')])),
  };
}

/** As the options of a script tag. A key without an agent has none, and its panel says so. */
async function faceOf(settings: SettingsCache, presented: string) {
  const key = await findKey(settings, presented);
  if (key === null || key.kind !== 'publishable') return null;
  const agent = key.agentId === null ? null : await settings.agent(key.agentId);
  if (agent === null) return { key: presented };
  const { name = agent.name, avatar, accent, theme, position } = agent.settings.widget;
  return { key: presented, name, avatar, accent, theme, position };
}
