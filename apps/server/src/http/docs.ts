import { servicePatterns } from '@parley/protocol/paths';
import { Router } from 'express';

/** The interface's OpenAPI document, and the same as a page to read. */
export function docsRoutes(_options: { readonly publicUrl: string; readonly platform: string }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(servicePatterns.openapi, (_request, response) => {
    response.json({});
  });
  return router;
}
