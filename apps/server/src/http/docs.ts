import { createHash } from 'node:crypto';
import { servicePatterns } from '@parley/protocol/paths';
import { Router } from 'express';

/** The interface's OpenAPI document, and the same as a page to read. Both are made when first asked for. */
export function docsRoutes({ platform }: { readonly platform: string }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let made: Promise<{ document: Buffer; page: Buffer; style: string }> | undefined;
  const make = async () => {
    const [{ openapiDocument }, { referencePage, referenceStyle }, { routes }] = await Promise.all([
      import('@parley/protocol/openapi'),
      import('./reference-page.ts'),
      import('@parley/protocol/routes'),
    ]);
    const document = openapiDocument(platform);
    const style = createHash('sha256').update(referenceStyle).digest('base64');
    // As bytes, so that responses which wait for their readers share them.
    return {
      document: Buffer.from(JSON.stringify(document)),
      page: Buffer.from(referencePage(document, routes(platform))),
      style,
    };
  };
  const ready = () => (made ??= make());

  router.get(servicePatterns.openapi, async (_request, response) => {
    const { document } = await ready();
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('cache-control', 'public, max-age=300');
    response.type('json').send(document);
  });

  router.get(servicePatterns.docs, async (_request, response) => {
    const { page, style } = await ready();
    const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
    response.setHeader('content-security-policy', `${policy}; frame-ancestors 'none'`);
    response.setHeader('cache-control', 'public, max-age=300');
    response.type('html').send(page);
  });
  return router;
}
