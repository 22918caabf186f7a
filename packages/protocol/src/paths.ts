/** The name in the Sessions interface's paths, headers and tokens. */
export const defaultPlatform = 'parley';
export const platformPattern = /^[a-z][a-z0-9-]{0,30}$/;

/** Fills the `:id` of a pattern. */
export const fillPath = (pattern: string, id: string): string =>
  pattern.replace(':id', () => encodeURIComponent(id.toWellFormed()));

export const chatPatterns = {
  chat: '/api/v1/agent/chat',
  conversation: '/api/v1/agent/chat/:id',
  stream: '/api/v1/agent/chat/:id/stream',
} as const;

export const sessionPatterns = (platform: string) => {
  const base = `/${platform}/v1/session`;
  return {
    sessions: base,
    session: `${base}/:id`,
    stream: `${base}/:id/stream`,
    cancel: `${base}/:id/cancel`,
  };
};

export const sessionHealthPath = (platform: string) => `/${platform}/v1/health`;

export const settingsPath = '/api/v1/settings';

/** What a page of the console sends with every request but a GET: no form and no page of another origin can. */
export const consoleHeader = 'x-parley-console';

export const consolePatterns = {
  page: '/console',
  asset: '/console/assets/:name',
} as const;

/** In the fragment, which no server is told of. */
export const invitationPath = (token: string): string => `${consolePatterns.page}#/invitation/${token}`;

export const servicePatterns = {
  home: '/',
  live: '/healthz',
  ready: '/readyz',
  metrics: '/metrics',
  openapi: '/openapi.json',
  docs: '/docs',
  docsPage: '/docs/:id',
  widgetConfig: '/v1/config',
} as const;

export const widgetPatterns = {
  loader: '/v1/parley.js',
  manifest: '/v1/manifest.json',
  page: '/v1/frame',
  asset: '/assets/:name',
  pinnedLoader: '/:version/parley.js',
} as const;

export const uiMessageStreamHeader = 'x-vercel-ai-ui-message-stream';
export const uiMessageStreamVersion = 'v1';
export const idempotencyKeyHeader = 'idempotency-key';
