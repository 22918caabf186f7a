import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Request, Response } from 'express';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A file of a build, in the encodings that the build made. */
export interface StaticFile {
  readonly etag: string;
  readonly mediaType: string;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>> & { identity: Buffer }>;
}

const suffixes = { br: '.br', gzip: '.gz', identity: '' } satisfies Record<Encoding, string>;

export async function readStaticFile(path: string, mediaType: string): Promise<StaticFile> {
  const body = (encoding: Encoding) => readFile(path + suffixes[encoding]);
  const [br, gzip, identity] = await Promise.all([body('br'), body('gzip'), body('identity')]);
  return staticFile(mediaType, { br, gzip, identity });
}

export function staticFile(mediaType: string, bodies: StaticFile['bodies']): StaticFile {
  const etag = createHash('sha256').update(bodies.identity).digest('base64url').slice(0, 22);
  return { etag, mediaType, bodies };
}

/** A file as it is sent. */
export interface Sending {
  readonly file: Pick<StaticFile, 'etag' | 'mediaType'>;
  readonly encoding: Encoding;
  readonly cacheControl: string;
}

/** Sets the headers. False when whoever asks has the file, and was told so. */
export function isWanted(
  request: Request,
  response: Response,
  { file, encoding, cacheControl }: Sending,
): boolean {
  response.setHeader('cache-control', cacheControl);
  response.setHeader('vary', 'Accept-Encoding');
  response.setHeader('etag', `"${file.etag}-${encoding}"`);
  response.type(file.mediaType);
  if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
  if (request.fresh) response.status(304).end();
  return !request.fresh;
}

export function encodingOf(request: Request, { bodies }: StaticFile): Encoding {
  // Asked one by one: browsers list them all with equal weight, and the order is ours.
  const accepted = (each: Encoding) => bodies[each] && request.acceptsEncodings(each);
  return (['br', 'gzip'] as const).find(accepted) ?? 'identity';
}
