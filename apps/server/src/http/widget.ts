import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Request, type Response, Router } from 'express';
import type { Store } from '../store/store.ts';
import { frame } from './frame.ts';
import { ProblemError } from './problem.ts';

type Encoding = 'br' | 'gzip' | 'identity';
type WidgetFile = { readonly etag: string; readonly bodies: Readonly<Record<Encoding, Buffer>> };

/** The built widget: every file in each of its encodings, in memory. */
type BuiltWidget = { readonly files: ReadonlyMap<string, WidgetFile>; readonly panel: string };

const dist = join(import.meta.dirname, '../../../../packages/widget/dist');
const extensions: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' };

/** The script tag's loader, the hashed files it leads to, and the page for an iframe. */
export function widgetRoutes(deps: { readonly store: Store }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let read: Promise<BuiltWidget> | undefined;
  const built = () =>
    (read ??= readBuiltWidget().catch((cause: unknown) => {
      read = undefined;
      throw cause;
    }));

  router.get('/v1/parley.js', async (request, response) => {
    response.setHeader('cache-control', 'public, max-age=300, stale-while-revalidate=86400');
    send(request, response, (await built()).files.get('parley.js'));
  });
  router.get('/assets/:name', async (request, response) => {
    const file = (await built()).files.get(`assets/${request.params.name}`);
    if (file) response.setHeader('cache-control', 'public, max-age=31536000, immutable');
    send(request, response, file);
  });
  router.get('/v1/frame', async (request, response) => {
    await frame(request, response, { store: deps.store, panel: (await built()).panel });
  });
  return router;
}

function send(request: Request, response: Response, file: WidgetFile | undefined): void {
  if (!file) throw new ProblemError('NOT_FOUND', 'There is nothing at this path.');
  // Asked one by one: browsers list them all with equal weight, and the order is ours.
  const encoding = (['br', 'gzip'] as const).find((each) => request.acceptsEncodings(each)) ?? 'identity';
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  response.setHeader('timing-allow-origin', '*');
  response.setHeader('vary', 'Accept-Encoding');
  response.setHeader('etag', `"${file.etag}-${encoding}"`);
  response.type('text/javascript');
  if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
  if (request.fresh) response.status(304).end();
  else response.send(file.bodies[encoding]);
}

async function readBuiltWidget(): Promise<BuiltWidget> {
  const manifest = await readFile(join(dist, 'manifest.json'), 'utf8').catch((cause: unknown) => {
    throw new Error('The widget has not been built.', { cause });
  });
  const { loader, panel } = JSON.parse(manifest) as { loader: string; panel: string };
  const assets = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js'));
  const names = [loader, ...assets.map((name) => `assets/${name}`)];
  const files = await Promise.all(names.map(async (name) => [name, await readWidgetFile(name)] as const));
  return { files: new Map(files), panel };
}

async function readWidgetFile(name: string): Promise<WidgetFile> {
  const body = (encoding: Encoding) => readFile(join(dist, name + extensions[encoding]));
  const [br, gzip, identity] = await Promise.all([body('br'), body('gzip'), body('identity')]);
  const etag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { etag, bodies: { br, gzip, identity } };
}
