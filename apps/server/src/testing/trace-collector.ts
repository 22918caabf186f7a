import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2: something went wrong. */
  readonly status: number;
}

export interface TraceCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** What was sent, as it was sent. */
  readonly bodies: readonly string[];
  readonly authorizations: ReadonlySet<string | undefined>;
}

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

/** A collector of OTLP over HTTP with JSON, which takes what it is sent, or answers with another status. */
export async function openTraceCollector(status = 200): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const authorizations = new Set<string | undefined>();
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      authorizations.add(request.headers.authorization);
      bodies.push(body);
      const sent = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] };
      for (const each of sent.resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ))
        spans.push({
          ...each,
          parentSpanId: each.parentSpanId || undefined,
          attributes: Object.fromEntries(
            each.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
          ),
          status: each.status.code ?? 0,
        });
      response.writeHead(request.url === '/v1/traces' ? status : 404, { 'content-type': 'application/json' });
      response.end('{}');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, bodies, authorizations };
}
