import { Router } from 'express';
import type { Store } from '../store/store.ts';
import { ProblemError } from './problem.ts';

/** Shown in place; everything else is a download. */
const shown = /^image\/(?:png|jpeg|gif|webp|avif)$/;

export function fileUrl(publicUrl: string, platform: string, id: string): string {
  return `${publicUrl}/${platform}/v1/file/${id}`;
}

/** What visitors sent, at addresses that cannot be guessed; never run as a page of ours. */
export function fileRoutes({ store, platform }: { store: Store; platform: string }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(`/${platform}/v1/file/:id`, async (request, response) => {
    const file = await store.file(String(request.params['id']));
    if (!file) throw new ProblemError('NOT_FOUND', 'There is nothing at this path.');
    const inline = shown.test(file.mediaType);
    response.setHeader('content-type', inline ? file.mediaType : 'application/octet-stream');
    response.setHeader('content-disposition', inline ? 'inline' : disposition(file.filename));
    response.setHeader('content-security-policy', "default-src 'none'; sandbox");
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
    // Whoever has the address may have the file: a widget draws it on a canvas.
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('cache-control', 'private, max-age=3600');
    response.end(file.bytes);
  });
  return router;
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
