import { filePatterns } from '@parley/protocol/file-paths';
import { fillPath } from '@parley/protocol/paths';
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

/** What visitors sent, at addresses that cannot be guessed; never run as a page of ours. */
export function fileHandlers({ store }: { readonly store: Store }): Handlers<'readFile'> {
  const readFile: Handler<'readFile'> = async ({ request, response, id }) => {
    const file = await store.files.get(id);
    // Until a message names it, nobody reads it: the id alone says only that something was uploaded.
    if (!file?.sessionId) throw new ProblemError('NOT_FOUND', 'There is nothing at this path.');
    const inline = shown.test(file.mediaType);
    response.setHeader('content-type', inline ? file.mediaType : 'application/octet-stream');
    response.setHeader('content-disposition', inline ? 'inline' : disposition(file.filename));
    response.setHeader('content-security-policy', "default-src 'none'; sandbox");
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
    // Whoever has the address may have the file: a widget draws it on a canvas.
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('cache-control', 'private, max-age=3600');
    response.setHeader('content-length', file.size);
    if (request.method === 'HEAD') return void response.end();
    await writeChunks(response, chunksOf(store, id, file.size));
  };
  return { readFile };
}

async function* chunksOf(store: Store, id: string, size: number): AsyncIterable<Uint8Array> {
  for (let number = 0; number * fileChunkBytes < size; number += 1) {
    const chunk = await store.files.chunk(id, number);
    if (!chunk) throw new Error('A file was removed while it was read');
    yield chunk;
  }
}

/** RFC 6266, with the name in RFC 8187 form. */
function disposition(filename: string | null): string {
  if (filename === null) return 'attachment';
  const encoded = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
