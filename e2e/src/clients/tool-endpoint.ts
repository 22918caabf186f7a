import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningServer } from '../server.ts';

export interface ToolEndpoint {
  url: string;
  /** What a server needs in its environment to call it. */
  environment: { EGRESS_ALLOW: string };
  /** Paths called so far. */
  calls: string[];
  close: () => void;
}

/** The HTTP endpoint behind the tools of these tests: it answers every call with where it went. */
export async function openToolEndpoint(): Promise<ToolEndpoint> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    if (request.url?.startsWith('/broken')) return void response.writeHead(500).end('out of order');
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ done: request.url }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    environment: { EGRESS_ALLOW: `127.0.0.1:${port}` },
    calls,
    close: () => void server.close(),
  };
}

/** Gives the agent a tool of one parameter, whose call is the request. */
export async function addTool(
  { settings }: Pick<RunningServer, 'settings'>,
  agentId: string,
  name: string,
  request: { method: string; url: string },
  more: Record<string, unknown> = {},
): Promise<void> {
  const [, parameter = 'none'] = /\{\{(\w+)\}\}/.exec(request.url) ?? [];
  const parameters = { type: 'object', properties: { [parameter]: { type: 'string' } } };
  await settings('POST', '/tools', {
    agentId,
    kind: 'http',
    name,
    description: name,
    parameters,
    request,
    ...more,
  });
}
