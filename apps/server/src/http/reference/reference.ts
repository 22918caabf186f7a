import { createHash } from 'node:crypto';
import type { Handlers } from '../handlers.ts';

/** The interface's OpenAPI document, and the same as a page to read. Both are made when first asked for. */
export function referenceHandlers({
  platform,
}: {
  readonly platform: string;
}): Handlers<'readOpenapi' | 'readReference'> {
  let made: Promise<{ document: Buffer; page: Buffer; style: string }> | undefined;
  const make = async () => {
    const [{ openapiDocument }, { apiReference, referenceStyle }, { routes }] = await Promise.all([
      import('@parley/protocol/openapi'),
      import('./api-reference.ts'),
      import('@parley/protocol/routes'),
    ]);
    const document = openapiDocument(platform);
    const style = createHash('sha256').update(referenceStyle).digest('base64');
    // As bytes, so that responses which wait for their readers share them.
    return {
      document: Buffer.from(JSON.stringify(document)),
      page: Buffer.from(apiReference(document, routes(platform))),
      style,
    };
  };
  const ready = () => (made ??= make());

  return {
    async readOpenapi({ response }) {
      const { document } = await ready();
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('cache-control', 'public, max-age=300');
      response.type('json').send(document);
    },

    async readReference({ response }) {
      const { page, style } = await ready();
      const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
      response.setHeader('content-security-policy', `${policy}; frame-ancestors 'none'`);
      response.setHeader('cache-control', 'public, max-age=300');
      response.type('html').send(page);
    },
  };
}
