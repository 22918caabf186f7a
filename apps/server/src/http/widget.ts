import { type Request, type Response, Router } from 'express';
import type { Store } from '../store/store.ts';
import { type BuiltWidget, type Encoding, readBuiltWidget } from './built-widget.ts';
import { frame } from './frame.ts';
import { ProblemError } from './problem.ts';

const forEver = 'public, max-age=31536000, immutable';

/** The script tag's loader, floating and pinned, the hashed files it leads to, and the page for an iframe. */
export function widgetRoutes(deps: { readonly store: Store }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let read: Promise<BuiltWidget> | undefined;
  const built = () =>
    (read ??= readBuiltWidget().catch((cause: unknown) => {
      read = undefined;
      throw cause;
    }));
  const send = async (request: Request, response: Response, path: string, cacheControl: string) => {
    const file = await (await built()).file(path);
    if (!file) throw new ProblemError('NOT_FOUND', 'There is nothing at this path.');
    // Asked one by one: browsers list them all with equal weight, and the order is ours.
    const accepted = (each: Encoding) => file.bodies[each] && request.acceptsEncodings(each);
    const encoding = (['br', 'gzip'] as const).find(accepted) ?? 'identity';
    response.setHeader('cache-control', cacheControl);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
    response.setHeader('timing-allow-origin', '*');
    response.setHeader('vary', 'Accept-Encoding');
    response.setHeader('etag', `"${file.etag}-${encoding}"`);
    response.type(file.mediaType);
    if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
    if (request.fresh) response.status(304).end();
    else response.send(file.bodies[encoding]);
  };

  router.get('/v1/parley.js', (request, response) =>
    send(request, response, 'parley.js', 'public, max-age=300, stale-while-revalidate=86400'),
  );
  router.get('/v1/manifest.json', (request, response) =>
    send(request, response, 'manifest.json', 'public, max-age=60'),
  );
  router.get('/:version/parley.js', (request, response) =>
    send(request, response, `${request.params.version}/parley.js`, forEver),
  );
  router.get('/assets/:name', (request, response) =>
    send(request, response, `assets/${request.params.name}`, forEver),
  );
  router.get('/v1/frame', async (request, response) => {
    await frame(request, response, { store: deps.store, modules: (await built()).manifest });
  });
  return router;
}
