import type { Request, Response } from 'express';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { type WidgetAssets, type Encoding, readWidgetAssets, type WidgetFile } from './widget-assets.ts';
import { keyedLoader } from './keyed-loader.ts';
import { iframePage } from './iframe-page.ts';
import type { Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';

const forMinutes = 'public, max-age=300, stale-while-revalidate=86400';
const forEver = 'public, max-age=31536000, immutable';

/** The script tag's loader, floating and pinned, the hashed files it leads to, and the page for an iframe. */
type WidgetRouteName =
  | 'widgetLoader'
  | 'widgetManifest'
  | 'widgetAsset'
  | 'pinnedWidgetLoader'
  | 'widgetPage';

export function widgetHandlers(deps: { readonly settings: SettingsCache }): Handlers<WidgetRouteName> {
  let read: Promise<WidgetAssets> | undefined;
  const built = () =>
    (read ??= readWidgetAssets().catch((cause: unknown) => {
      read = undefined;
      throw cause;
    }));
  const fileAt = async (path: string): Promise<WidgetFile> => {
    const file = await (await built()).file(path);
    if (!file) throw new ProblemError('NOT_FOUND', 'There is nothing at this path.');
    return file;
  };
  const send = async (request: Request, response: Response, path: string, cacheControl: string) => {
    const file = await fileAt(path);
    const encoding = encodingOf(request, file);
    if (isWanted(request, response, { file, encoding, cacheControl })) response.send(file.bodies[encoding]);
  };

  return {
    async widgetLoader({ request, response, query: { key } }) {
      if (key === '') return send(request, response, 'parley.js', forMinutes);
      const loader = await fileAt('parley.js');
      const file = await keyedLoader(deps.settings, key, loader);
      if (file) {
        const encoding = encodingOf(request, loader);
        if (isWanted(request, response, { file, encoding, cacheControl: forMinutes }))
          response.send(await file.body(encoding));
        return;
      }
      // A launcher that leads nowhere helps no visitor; whoever made the page looks at its console.
      response.setHeader('cache-control', 'no-store');
      response.type('text/javascript').send("console.error('Parley: There is no such publishable key.')");
    },
    widgetManifest: ({ request, response }) => send(request, response, 'manifest.json', 'public, max-age=60'),
    widgetAsset: ({ request, response }) =>
      send(request, response, `assets/${String(request.params['name'])}`, forEver),
    pinnedWidgetLoader: ({ request, response }) =>
      send(request, response, `${String(request.params['version'])}/parley.js`, forEver),
    async widgetPage({ response, query }) {
      await iframePage(response, query.key, { settings: deps.settings, modules: (await built()).manifest });
    },
  };
}

interface Sending {
  readonly file: Pick<WidgetFile, 'etag' | 'mediaType'>;
  readonly encoding: Encoding;
  readonly cacheControl: string;
}

/** Sets the headers. False when whoever asks has the file, and was told so. */
function isWanted(request: Request, response: Response, { file, encoding, cacheControl }: Sending): boolean {
  response.setHeader('cache-control', cacheControl);
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  response.setHeader('timing-allow-origin', '*');
  response.setHeader('vary', 'Accept-Encoding');
  response.setHeader('etag', `"${file.etag}-${encoding}"`);
  response.type(file.mediaType);
  if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
  if (request.fresh) response.status(304).end();
  return !request.fresh;
}

function encodingOf(request: Request, { bodies }: WidgetFile): Encoding {
  // Asked one by one: browsers list them all with equal weight, and the order is ours.
  const accepted = (each: Encoding) => bodies[each] && request.acceptsEncodings(each);
  return (['br', 'gzip'] as const).find(accepted) ?? 'identity';
}
