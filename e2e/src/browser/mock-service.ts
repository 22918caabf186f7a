import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { picture } from './picture.ts';

const dist = join(import.meta.dirname, '../../../packages/widget/dist');

/** One line of a recorded session, without its number. */
export type Recorded = { type: string; data?: object; meta?: { at: string } };

/** What the service would say: a recorded log, and answers to what a visitor sends. */
export interface Recording {
  /** What the log holds when the page asks for it; `null` never answers. */
  events?: readonly Recorded[] | null;
  /** The stream ends after the events, and nobody answers when it is asked for again. */
  cut?: boolean;
  /** Refuses to show the session. */
  missing?: boolean;
  /** How a POST is answered; accepted by default, never if `null`. */
  post?: { status: number; body: object; headers?: Record<string, string> } | null;
  /** The visitor's list of conversations. */
  sessions?: readonly object[];
  config?: object;
  /** More of the widget's settings. */
  widget?: object;
  /** What time the service says it is; it says nothing by default, since what it plays is long past. */
  date?: string;
  /** Response headers of the page, such as a policy. */
  page?: Record<string, string>;
  /** Attributes of the script tag, and of the page's root. */
  attributes?: string;
  root?: string;
}

export interface MockService {
  url: string;
  close(): Promise<void>;
  /** Writes one more event to every open stream. */
  write(event: Recorded): void;
}

const nonce = 'c3RhZ2U';

export const strictPolicy = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "connect-src 'self'",
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
};

async function readJson(request: IncomingMessage): Promise<{ message?: string; clientMessageId?: string }> {
  const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
  return body.startsWith('{') ? (JSON.parse(body) as object) : {};
}

/** Where a mock service of this worker has listened. */
const formerPorts = new Set<number>();

/** Listens where no other has: the stage's browser keeps what a page stored, and a port that comes again is its origin. */
async function listenAtNewPort(server: Server): Promise<void> {
  for (;;) {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    if (!formerPorts.has(port)) return void formerPorts.add(port);
    await new Promise((closed) => server.close(closed));
  }
}

/** A page with the built widget, and a service that plays a recording; again on the same port after it was closed. */
export async function startMockService(recording: Recording, port?: number): Promise<MockService> {
  const streams = new Set<ServerResponse>();
  /** What visitors have called their messages, by the text. */
  const messageIds = new Map<string, string>();
  const line = ({ type, data, meta = { at: '2026-11-20T16:06:20.586Z' } }: Recorded) => {
    const { message = '' } = { ...data } as { message?: string };
    const clientMessageId = type === 'message.received' ? messageIds.get(message) : undefined;
    return `${JSON.stringify({ type, data: data && { ...data, clientMessageId }, meta })}\n`;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mock');
    response.sendDate = false;
    if (recording.date) response.setHeader('date', new Date(recording.date).toUTCString());
    const json = (status: number, body: object, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    if (pathname === '/') {
      const { page = {}, attributes = '', root = 'lang="en"' } = recording;
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page });
      response.end(
        `<!doctype html><html ${root}><head><title>MockService</title><meta name="viewport" content="width=device-width"></head>` +
          `<body><main><h1>MockService</h1></main><script nonce="${nonce}" async src="/v1/parley.js" ` +
          `data-key="pk_stage" data-name="Chat with Fern" ${attributes}></script></body></html>`,
      );
    } else if (pathname === '/v1/config') {
      const widget = {
        name: 'Fern',
        greeting: 'Hi! How can I help?',
        prompts: ['Where is order 1042?', 'When are you open?'],
        accent: '#2f6f4f',
        theme: 'auto',
        position: 'end',
        privacyUrl: 'https://fernhill.example/privacy',
      };
      const files = {
        types: ['image/*', 'application/pdf', 'text/*', 'application/json'],
        totalBytes: 10_485_760,
      };
      const config = { ok: true, platform: 'parley', widget, files, ...recording.config };
      json(200, { ...config, widget: { ...config.widget, ...recording.widget } });
    } else if (pathname.startsWith('/parley/v1/file/')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture(480, 320));
    } else if (pathname.endsWith('/stream')) {
      const { events = [], cut, missing } = recording;
      if (missing) return void json(404, { ok: false, code: 'SESSION_NOT_FOUND', error: 'No such session.' });
      const start = Number(searchParams.get('startIndex') ?? 0);
      if (events === null || (cut && start > 0)) return;
      response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
      response.write(`\n${events.slice(start).map(line).join('')}`);
      if (cut) response.end();
      else streams.add(response);
    } else if (request.method === 'GET' && pathname.endsWith('/v1/session')) {
      json(200, { items: recording.sessions ?? [], next: recording.sessions?.length ? 'more' : null });
    } else if (request.method === 'DELETE') {
      json(200, { ok: true, sessionId: 's1', status: 'deleted' });
    } else if (request.method === 'POST') {
      const { post = { status: 200, body: { sessionId: 's1', continuationToken: 't1', ok: true } } } =
        recording;
      const { message, clientMessageId } = await readJson(request);
      if (clientMessageId) messageIds.set(message ?? '', clientMessageId);
      if (post) json(post.status, post.body, post.headers);
    } else if (pathname === '/v1/parley.js' || pathname.startsWith('/assets/')) {
      const content = await readFile(join(dist, pathname.replace('/v1/', '/'))).catch(() => null);
      response.writeHead(content ? 200 : 404, { 'content-type': 'text/javascript' }).end(content);
    } else if (pathname === '/favicon.ico') {
      // Chromium may ask for it by itself, and would tell the console of one that is not there.
      response.writeHead(204).end();
    } else response.writeHead(404).end();
  };

  const server = createServer((request, response) => void answer(request, response));
  if (port) await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  else await listenAtNewPort(server);
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    write(event) {
      for (const stream of streams) stream.write(line(event));
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
