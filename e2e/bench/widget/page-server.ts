import { createServer, type ServerResponse } from 'node:http';
import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { setTimeout as elapsed } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { history } from './history.ts';
import { replyTokens } from './reply.ts';

const tokensPerSecond = 100;

const mediaTypes: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };

export interface PageServer {
  readonly url: string;
  /** When each token of the last reply was handed to the network, by the clock on the wall. */
  readonly sentAt: readonly number[];
  close(): Promise<void>;
}

/** Serves the page of each widget from `folder`, with `markup` in it, and the reply: to the peers, and as a model to ours. */
export async function servePages(folder: string, markup: (widget: string) => string): Promise<PageServer> {
  const files = await compressFiles(folder);
  let sentAt: number[] = [];

  /** One write for each token, on a schedule that does not drift. */
  const stream = async (response: ServerResponse, frame: (text: string) => string, end: string) => {
    response.socket?.setNoDelay();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    sentAt = [];
    const begin = performance.now();
    for (const [index, token] of replyTokens.entries()) {
      const pause = begin + (index * 1_000) / tokensPerSecond - performance.now();
      if (pause > 0) await elapsed(pause);
      if (response.destroyed) return;
      response.write(frame(token));
      sentAt.push(Date.now());
    }
    response.end(end);
  };

  const sendFile = (response: ServerResponse, name: string) => {
    const headers = {
      'content-type': mediaTypes[extname(name)],
      'content-encoding': 'br',
      'cache-control': 'max-age=3600',
    };
    const content = files.get(name);
    response.writeHead(content ? 200 : 404, content && headers).end(content);
  };

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    request.resume();
    if (pathname === '/reply') void stream(response, sseText, '');
    else if (pathname === '/v1/chat/completions') void stream(response, completionChunk, completionEnd);
    else if (pathname === '/history')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(history));
    else if (extname(pathname) !== '') sendFile(response, basename(pathname));
    else
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(html(markup(pathname.slice(1))));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    get sentAt() {
      return sentAt;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const html = (markup: string) => `<!doctype html>
<html lang="en">
<head><title>Routes</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"></head>
<body>
<h1>Routes along the water</h1>
<p>Pick a route, pump the tyres and leave the car where it is.</p>
<div id="widget"></div>
${markup}
</body>
</html>`;

const sseText = (text: string) => `data: ${JSON.stringify({ text })}\n\n`;

const completionChunk = (content: string) =>
  `data: ${JSON.stringify({ ...completion, choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
const completion = { id: 'reply', object: 'chat.completion.chunk', created: 0, model: 'bench' };
const completionEnd = `data: ${JSON.stringify({
  ...completion,
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
})}\n\ndata: [DONE]\n\n`;

/** The files of a folder as a careful host would send them. */
async function compressFiles(folder: string): Promise<Map<string, Buffer>> {
  const names = await readdir(folder);
  const compress = async (name: string) => promisify(brotliCompress)(await readFile(join(folder, name)));
  return new Map(await Promise.all(names.map(async (name) => [name, await compress(name)] as const)));
}
