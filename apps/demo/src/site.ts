import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Tenant } from './tenant.ts';

/** What pages are filled with, by name; a tenant's publishable key stands under its slug. */
export type Placeholders = Readonly<Record<string, string>> & {
  /** Address of the service, as a browser reaches it. */
  readonly service: string;
};

export interface Site {
  port: number;
  /** Fills the pages; until then they answer 503. */
  open(placeholders: Placeholders): void;
  close(): Promise<void>;
}

const folder = join(import.meta.dirname, '../sites');
/** Pages that a bundler has built, under `/apps/`. */
const built = join(import.meta.dirname, '../dist');
const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves the tenants' pages and the endpoints that their agents' tools call, on 127.0.0.1. */
export async function serveSites(tenants: Tenant[], port: number): Promise<Site> {
  let pages: Placeholders | undefined;
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site');
    const [, slug, ...rest] = pathname.split('/');
    const tenant = tenants.find((candidate) => candidate.slug === slug);
    const answered =
      tenant && rest[0] === 'api'
        ? answerTool(tenant, request, response, `/${rest.slice(1).join('/')}`)
        : sendFile(response, pathname, search, pages);
    answered.catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) send(response, 500, 'text/plain', 'The demo site failed.');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    open: (placeholders) => {
      pages = placeholders;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function answerTool(tenant: Tenant, request: IncomingMessage, response: ServerResponse, path: string) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const answer = await tenant.answer({
    route: `${request.method} ${path}`,
    body: text ? JSON.parse(text) : {},
    idempotencyKey: request.headers['idempotency-key']?.toString(),
  });
  if (answer) send(response, answer.status, 'text/plain; charset=utf-8', answer.text);
  else send(response, 404, 'text/plain', 'No such address.');
}

async function sendFile(
  response: ServerResponse,
  pathname: string,
  search: string,
  pages: Placeholders | undefined,
) {
  const file = normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  // Else the addresses in the page are read as those of the folder above.
  if (existsSync(join(folder, file, 'index.html')))
    return response.writeHead(302, { location: `${file}/${search}` }).end();
  const mediaType = mediaTypes[extname(file)];
  if (!mediaType) return send(response, 404, 'text/plain', 'No such page.');
  if (!pages) return send(response, 503, 'text/plain', 'The demo is still starting.');
  let content: string;
  try {
    const path = file.startsWith('/apps/') ? join(built, file.slice('/apps'.length)) : join(folder, file);
    content = await readFile(path, 'utf8');
  } catch {
    return send(response, 404, 'text/plain', 'No such page.');
  }
  if (extname(file) !== '.html') return send(response, 200, mediaType, content);
  const nonce = randomBytes(16).toString('base64');
  response.setHeader('content-security-policy', policy(pages.service, nonce));
  send(response, 200, mediaType, fill(content, { ...pages, nonce }));
}

/** As strict as a page can be: all that the widget asks of it is a nonce and the service's address. */
const policy = (service: string, nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `connect-src ${service}`,
    `frame-src ${service}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** What fills a place may have places itself. */
const fill = (content: string, { scenes = '', ...placeholders }: Readonly<Record<string, string>>) =>
  content
    .replaceAll('{{scenes}}', () => scenes)
    .replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => placeholders[name] ?? whole);

function send(response: ServerResponse, status: number, mediaType: string, content: string) {
  response.writeHead(status, { 'content-type': mediaType, 'cache-control': 'no-store' }).end(content);
}
