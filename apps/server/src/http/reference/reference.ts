import type { Handlers } from '../handlers.ts';

/** The interface's OpenAPI document. It is made when it is first asked for. */
export function referenceHandlers({ platform }: { readonly platform: string }): Handlers<'readOpenapi'> {
  let made: Promise<Buffer> | undefined;
  const make = async () => {
    const { openapiDocument } = await import('@parley/protocol/openapi');
    // As bytes, so that responses which wait for their readers share them.
    return Buffer.from(JSON.stringify(openapiDocument(platform)));
  };

  return {
    async readOpenapi({ response }) {
      const document = await (made ??= make());
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('cache-control', 'public, max-age=300');
      response.type('json').send(document);
    },
  };
}
