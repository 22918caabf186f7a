import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ComposioCall {
  readonly slug: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ComposioEndpoint {
  readonly host: string;
  readonly url: string;
  apiKey: string;
  /** What the tools are, page by page. */
  pages: readonly (readonly object[])[];
  /** By their ids: what has become of the accounts. */
  readonly accounts: Map<string, string>;
  readonly calls: ComposioCall[];
  /** Answers a request instead; false: as usual. */
  instead: (path: string, response: ServerResponse) => boolean;
  close(): void;
}

export const gmailTool = (slug: string, more: object = {}) => ({
  slug,
  name: slug.toLowerCase(),
  description: `Does ${slug}.`,
  toolkit: { slug: 'gmail', name: 'Gmail', logo: '' },
  input_parameters: { type: 'object', properties: { to: { type: 'string' } } },
  output_parameters: {},
  version: '20260101_00',
  tags: [],
  ...more,
});

/** Composio, as far as its REST interface is used. */
export async function openComposioEndpoint(): Promise<ComposioEndpoint> {
  const callbacks = new Map<string, string>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '', endpoint.url);
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const [, connecting] = /^\/connect\/(.+)$/.exec(pathname) ?? [];
    if (connecting !== undefined) {
      endpoint.accounts.set(connecting, 'ACTIVE');
      const back = new URL(callbacks.get(connecting) ?? '');
      back.searchParams.set('status', 'success');
      back.searchParams.set('connected_account_id', connecting);
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (endpoint.instead(pathname, response)) return;
    if (request.headers['x-api-key'] !== endpoint.apiKey)
      return json(401, { error: { message: 'Invalid API key' } });
    if (pathname === '/api/v3/tools') {
      const page = Number(searchParams.get('cursor') ?? 0);
      const next = page + 1 < endpoint.pages.length ? String(page + 1) : null;
      return json(200, { items: endpoint.pages[page] ?? [], next_cursor: next, total_pages: 1 });
    }
    const body = JSON.parse(text || '{}') as Record<string, unknown>;
    if (pathname === '/api/v3/connected_accounts/link') {
      const id = `ca_${callbacks.size}`;
      endpoint.accounts.set(id, 'INITIATED');
      callbacks.set(id, String(body['callback_url']));
      return json(201, { redirect_url: `${endpoint.url}/connect/${id}`, connected_account_id: id });
    }
    const [, account = ''] = /^\/api\/v3\/connected_accounts\/(.+)$/.exec(pathname) ?? [];
    if (account !== '') {
      if (request.method === 'DELETE') endpoint.accounts.delete(account);
      const status = endpoint.accounts.get(account);
      return status === undefined
        ? json(404, { error: { message: 'None.' } })
        : json(200, { id: account, status });
    }
    const [, slug = ''] = /^\/api\/v3\/tools\/execute\/(.+)$/.exec(pathname) ?? [];
    endpoint.calls.push({ slug, body });
    const used = body['connected_account_id'];
    if (typeof used === 'string' && endpoint.accounts.get(used) !== 'ACTIVE')
      return json(400, { error: { message: 'The account is not active.' } });
    json(200, { successful: true, error: null, data: { sent: Object(body['arguments']).to } });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint: ComposioEndpoint = {
    host,
    url: `http://${host}`,
    apiKey: 'ak_canary-composio-key',
    pages: [[gmailTool('GMAIL_SEND')]],
    accounts: new Map(),
    calls: [],
    instead: () => false,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return endpoint;
}
