import type { Request, Response } from 'express';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { encodingOf, isWanted, type Sending, type StaticFile } from '../static-file.ts';
import { type WidgetAssets, licences, readWidgetAssets } from './widget-assets.ts';
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
  const fileAt = async (path: string): Promise<StaticFile> => {
    const file = await (await built()).file(path);
    if (!file) throw new ProblemError('NOT_FOUND', 'There is nothing at this path.');
    return file;
  };
  const send = async (request: Request, response: Response, path: string, cacheControl: string) => {
    const file = await fileAt(path);
    const encoding = encodingOf(request, file);
    if (isWantedAnywhere(request, response, { file, encoding, cacheControl }))
      response.send(file.bodies[encoding]);
  };

  return {
    async widgetLoader({ request, response, query: { key } }) {
      if (key === '') return send(request, response, 'parley.js', forMinutes);
      const loader = await fileAt('parley.js');
      const file = await keyedLoader(deps.settings, key, loader);
      if (file) {
        const encoding = encodingOf(request, loader);
        if (isWantedAnywhere(request, response, { file, encoding, cacheControl: forMinutes }))
          response.send(await file.body(encoding));
        return;
      }
      // A launcher that leads nowhere helps no visitor; whoever made the page looks at its console.
      response.setHeader('cache-control', 'no-store');
      response.type('text/javascript').send("console.error('Parley: There is no such publishable key.')");
    },
    widgetManifest: ({ request, response }) => send(request, response, 'manifest.json', 'public, max-age=60'),
    widgetAsset({ request, response }) {
      const path = `assets/${String(request.params['name'])}`;
      return send(request, response, path, path === licences ? forMinutes : forEver);
    },
    pinnedWidgetLoader: ({ request, response }) =>
      send(request, response, `${String(request.params['version'])}/parley.js`, forEver),
    async widgetPage({ response, query }) {
      await iframePage(response, query.key, { settings: deps.settings, modules: (await built()).manifest });
    },
  };
}

/** The same for pages of every origin. */
function isWantedAnywhere(request: Request, response: Response, sending: Sending): boolean {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  response.setHeader('timing-allow-origin', '*');
  return isWanted(request, response, sending);
}
