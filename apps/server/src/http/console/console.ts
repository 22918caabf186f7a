import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Request, Response } from 'express';
import type { Handlers } from '../handlers.ts';
import { unbuiltProblem } from '../../unbuilt.ts';
import { ProblemError } from '../problem.ts';
import { encodingOf, isWanted, readStaticFile, type StaticFile } from '../static-file.ts';

const dist = join(import.meta.dirname, '../../../../console/dist');

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  // What of others ships in the console; its script names it.
  '.md': 'text/markdown',
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The built console: its page, and the files named by their content that the page leads to. */
export function consoleHandlers(): Handlers<'consolePage' | 'consoleAsset'> {
  let read: Promise<ReadonlyMap<string, StaticFile>> | undefined;
  const built = () =>
    (read ??= readBuild().catch((cause: unknown) => {
      read = undefined;
      throw cause;
    }));
  const fileAt = async (path: string): Promise<StaticFile> => {
    const file = (await built()).get(path);
    if (!file) throw new ProblemError('NOT_FOUND', 'There is nothing at this path.');
    return file;
  };
  const send = async (request: Request, response: Response, path: string, cacheControl: string) => {
    const file = await fileAt(path);
    const encoding = encodingOf(request, file);
    if (isWanted(request, response, { file, encoding, cacheControl })) response.send(file.bodies[encoding]);
  };
  return {
    async consolePage({ request, response }) {
      response.setHeader('content-security-policy', policy);
      response.setHeader('cross-origin-opener-policy', 'same-origin');
      await send(request, response, 'index.html', 'no-cache');
    },
    consoleAsset({ request, response }) {
      const name = String(request.params['name']);
      const cacheControl = name.endsWith('.md') ? 'no-cache' : 'public, max-age=31536000, immutable';
      return send(request, response, `assets/${name}`, cacheControl);
    },
  };
}

async function readBuild(): Promise<ReadonlyMap<string, StaticFile>> {
  const names = await readdir(join(dist, 'assets')).catch(() => {
    throw new ProblemError('UNAVAILABLE', unbuiltProblem([{ what: 'the console' }]), { retryAfter: 5 });
  });
  const assets = names.filter((name) => mediaTypes[extname(name)] !== undefined);
  const files = [
    ['index.html', 'text/html; charset=utf-8'] as const,
    ...assets.map((name) => [`assets/${name}`, `${mediaTypes[extname(name)]}; charset=utf-8`] as const),
  ];
  return new Map(
    await Promise.all(
      files.map(async ([path, type]) => [path, await readStaticFile(join(dist, path), type)] as const),
    ),
  );
}
