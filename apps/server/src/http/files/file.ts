import { filePatterns } from '@parley/protocol/file-paths';
import { fillPath } from '@parley/protocol/paths';
import { plainName } from '@parley/protocol/plain-name';
import type { Response } from 'express';
import { memberPicturePrefix } from '../../events/file-addresses.ts';
import { fileChunkBytes } from '../../store/file-store.ts';
import type { Store } from '../../store/store.ts';
import type { Handler, Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';
import { writeChunks } from '../connection/write-chunks.ts';

/** Shown in place; everything else is a download. */
const shown = /^image\/(?:png|jpeg|gif|webp|avif)$/;

export function fileUrl(publicUrl: string, platform: string, id: string): string {
  return publicUrl + fillPath(filePatterns(platform).file, id);
}

/** What visitors sent, and the pictures of members, at addresses that cannot be guessed; never run as a page of ours. */
export function fileHandlers({ store }: { readonly store: Store }): Handlers<'readFile'> {
  async function sendPicture(response: Response, id: string): Promise<void> {
    const picture = await store.settings.memberPictures.get(id);
    const [, mediaType, base64 = ''] = /^data:(image\/\w+);base64,(.*)$/.exec(picture ?? '') ?? [];
    if (mediaType === undefined || !shown.test(mediaType)) throw nothing();
    setHeaders(response, mediaType, 'inline');
    // Its member may change it, or take it away.
    response.setHeader('cache-control', 'private, max-age=60');
    response.end(Buffer.from(base64, 'base64'));
  }

  const readFile: Handler<'readFile'> = async ({ request, response, id }) => {
    if (id.startsWith(memberPicturePrefix)) return sendPicture(response, id);
    const file = await store.files.get(id);
    // Until a message names it, nobody reads it: the id alone says only that something was uploaded.
    if (!file?.sessionId) throw nothing();
    const inline = shown.test(file.mediaType);
    const mediaType = inline ? file.mediaType : 'application/octet-stream';
    setHeaders(response, mediaType, inline ? 'inline' : disposition(file.filename));
    response.setHeader('cache-control', 'private, max-age=3600');
    response.setHeader('content-length', file.size);
    if (request.method === 'HEAD') return void response.end();
    await writeChunks(response, chunksOf(store, id, file.size));
  };
  return { readFile };
}

const nothing = () => new ProblemError('NOT_FOUND', 'There is nothing at this path.');

function setHeaders(response: Response, mediaType: string, shownAs: string): void {
  response.setHeader('content-type', mediaType);
  response.setHeader('content-disposition', shownAs);
  response.setHeader('content-security-policy', "default-src 'none'; sandbox");
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  // Whoever has the address may have the file: a widget draws it on a canvas.
  response.setHeader('access-control-allow-origin', '*');
}

async function* chunksOf(store: Store, id: string, size: number): AsyncIterable<Uint8Array> {
  for (let number = 0; number * fileChunkBytes < size; number += 1) {
    const chunk = await store.files.chunk(id, number);
    if (!chunk) throw new Error('A file was removed while it was read');
    yield chunk;
  }
}

/** RFC 6266, with the name in RFC 8187 form: whoever saves the file sees how its name ends. */
function disposition(filename: string | null): string {
  if (filename === null) return 'attachment';
  const encoded = encodeURIComponent(plainName(filename)).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
