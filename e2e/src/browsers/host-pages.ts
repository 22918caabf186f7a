import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page of somebody else that embeds the widget. */
export interface HostPage {
  doctype?: string;
  /** Attributes of its root. */
  root?: string;
  /** What comes before the widget's script. */
  head?: string;
  body?: string;
  /** Leaves the widget's script out. */
  bare?: boolean;
  policy?: string;
}

export interface HostPages {
  /** `localhost` of a port; the same pages are at `127.0.0.1`, which is another site. */
  origin: string;
  /** The path under which the page is served from now on. */
  add(page: HostPage): string;
  close(): void;
}

/** What goes wrong in a page is kept there. */
const collector = `
  globalThis.faults = [];
  addEventListener('error', ({ message }) => faults.push(message));
  addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    faults.push(violatedDirective + ' ' + blockedURI));
`;
export const nonce = 'aG9zdA';

export async function serveHostPages(widgetTag: () => string): Promise<HostPages> {
  const pages: HostPage[] = [];
  const server = createServer((request, response) => {
    const page = pages[Number(request.url?.slice(1))];
    if (!page) return response.writeHead(404).end();
    const { doctype = '<!doctype html>', root = 'lang="en"', head = '', body = '', bare, policy } = page;
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(policy && { 'content-security-policy': policy }),
    });
    response.end(
      `${doctype}<html ${root}><head><meta name="viewport" content="width=device-width, initial-scale=1">` +
        `<title>Host</title><link rel="icon" href="data:,"><script nonce="${nonce}">${collector}</script>${head}` +
        `${bare ? '' : widgetTag()}</head><body>${body}</body></html>`,
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    add: (page) => `/${pages.push(page) - 1}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
