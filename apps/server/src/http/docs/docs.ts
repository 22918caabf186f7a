import type { Request, Response } from 'express';
import type { Handlers } from '../handlers.ts';
import { encodingOf, isWanted } from '../static-file.ts';
import type { Docs } from './build-docs.ts';

/** Pages, a style sheet and a script of our own, and nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The documentation. It is made when somebody first asks for it. */
export function docsHandlers(served: {
  readonly platform: string;
  readonly publicUrl: string;
}): Handlers<'readDocs' | 'readDocsPage'> {
  let made: Promise<Docs> | undefined;
  const docs = () =>
    (made ??= import('./build-docs.ts')
      .then(({ buildDocs }) => buildDocs(served))
      .catch((error: unknown) => {
        made = undefined;
        throw error;
      }));

  async function send(request: Request, response: Response, id: string): Promise<void> {
    const { files, missing } = await docs();
    const found = files.get(id);
    if (!found) response.status(404);
    const file = found ?? missing;
    const encoding = encodingOf(request, file);
    response.setHeader('content-security-policy', policy);
    const cacheControl = found ? 'public, max-age=300' : 'no-store';
    if (isWanted(request, response, { file, encoding, cacheControl })) response.send(file.bodies[encoding]);
  }

  return {
    readDocs: ({ request, response }) => send(request, response, ''),
    readDocsPage: ({ request, response, id }) => send(request, response, id),
  };
}
