import { z } from 'zod';
import { maxIdLength } from './bounds.ts';
import { servicePatterns, widgetPatterns } from './paths.ts';
import { jsonResponse, named, type Route } from './route.ts';
import { widgetConfigSchema } from './widget-config.ts';

const common = { tag: 'Widget', method: 'get', principal: 'anyone' } as const;
const configQuery = z.preprocess(
  (query) => {
    const { key, session } = Object(query) as { key?: unknown; session?: unknown };
    return {
      key: typeof key === 'string' ? key : '',
      session: typeof session === 'string' ? session.slice(0, maxIdLength) : '',
    };
  },
  z.object({
    key: z.string().describe('The publishable key.'),
    session: z
      .string()
      .default('')
      .describe(
        'The conversation that the page goes on with: one that a person answers in goes on while the agent is off.',
      ),
  }),
);
const unchanged = { status: 304, description: 'As the browser has it.' } as const;
const script = [
  { status: 200, description: 'The script.', content: { 'text/javascript': 'text' } },
  unchanged,
] as const;

/** A key that is given twice, or not at all, is like one that does not exist. */
const readKey = (query: unknown) => {
  const { key } = Object(query) as { key?: unknown };
  return { key: typeof key === 'string' ? key : '' };
};
const key = z.string().describe('The publishable key.');
const loaderQuery = z.preprocess(readKey, z.object({ key: key.default('') }));
const pageQuery = z.preprocess(readKey, z.object({ key }));

export const widgetRoutes = [
  {
    ...common,
    name: 'widgetConfig',
    path: servicePatterns.widgetConfig,
    summary: 'How the widget of a publishable key looks, or why it does not work on this page',
    query: configQuery,
    responses: [jsonResponse(200, 'Either.', named('WidgetConfig', widgetConfigSchema))],
    problems: [],
  },
  {
    ...common,
    name: 'widgetLoader',
    path: widgetPatterns.loader,
    summary: 'The loader of the current version, for a script tag; with a key, also how its launcher looks',
    query: loaderQuery,
    responses: script,
    problems: [],
  },
  {
    ...common,
    name: 'widgetManifest',
    path: widgetPatterns.manifest,
    summary:
      'The versions of the loader with their integrity, the scripts of the current one, and where the licences of what ships in them are',
    responses: [jsonResponse(200, 'The manifest.', named('WidgetManifest', z.looseObject({})))],
    problems: [],
  },
  {
    ...common,
    name: 'widgetPage',
    path: widgetPatterns.page,
    summary: 'The panel as a page, which only the origins of the key may put into a frame',
    query: pageQuery,
    responses: [{ status: 200, description: 'The page.', content: { 'text/html': 'text' } }],
    problems: ['NOT_FOUND'],
  },
  {
    ...common,
    name: 'widgetAsset',
    path: widgetPatterns.asset,
    summary:
      'A script that the loader leads to, whose content never changes, or `licenses.md`: what of others ships in them',
    responses: [
      {
        status: 200,
        description: 'The script, or `licenses.md`.',
        content: { 'text/javascript': 'text', 'text/markdown': 'text' },
      },
      unchanged,
    ],
    problems: ['NOT_FOUND'],
  },
  {
    ...common,
    name: 'pinnedWidgetLoader',
    path: widgetPatterns.pinnedLoader,
    summary: 'The loader of one version, for a script tag with `integrity`',
    responses: script,
    problems: ['NOT_FOUND'],
  },
] as const satisfies readonly Route[];
