import type { Route } from '@parley/protocol/route';
import type { Request, Response } from 'express';
import type { Principal } from '../auth/principal.ts';
import type { RequestOrigin } from '../session/queue-item.ts';
import { attribute } from '../trace/semantic-conventions.ts';
import type { Span, Tracer } from '../trace/span.ts';
import { requestIdOf } from './middleware/request-id.ts';

interface Caller {
  readonly tenant?: string;
  readonly agent?: string;
}

const callers = new WeakMap<Response, Caller>();
const spans = new WeakMap<Response, Span>();

/**
 * Notes whose request it is, for its line in the log, and begins its span. A trace goes on from the caller's only where
 * that is the firm's own server or the administrator: with a publishable key anybody could write into anybody's trace.
 */
export function noteCaller(
  tracer: Tracer | null,
  { method, path }: Pick<Route, 'method' | 'path'>,
  { request, response, principal }: { request: Request; response: Response; principal: Principal },
): void {
  const caller = callerOf(principal);
  callers.set(response, caller);
  if (!tracer) return;
  const isTrusted = principal.kind === 'secret-key' || principal.kind === 'admin';
  const { traceparent } = request.headers;
  const span = tracer.start(
    `${method.toUpperCase()} ${path}`,
    'server',
    {
      [attribute.httpMethod]: method.toUpperCase(),
      [attribute.httpRoute]: path,
      [attribute.requestId]: requestIdOf(response),
      ...(caller.tenant !== undefined && { [attribute.tenant]: caller.tenant }),
      ...(caller.agent !== undefined && { [attribute.agentId]: caller.agent }),
    },
    { traceparent: isTrusted && typeof traceparent === 'string' ? traceparent : undefined },
  );
  spans.set(response, span);
  response.once('close', () => {
    const { statusCode } = response;
    span.set({ [attribute.httpStatus]: statusCode });
    span.end(statusCode >= 500 ? String(statusCode) : undefined);
  });
}

/** Whose request it is, once that is known. */
export function notedCaller(response: Response): Caller {
  return callers.get(response) ?? {};
}

/** What the turn that a request begins is to know of it. */
export function requestOrigin(response: Response): RequestOrigin {
  const traceparent = spans.get(response)?.traceparent;
  return { requestId: requestIdOf(response), ...(traceparent !== undefined && { traceparent }) };
}

function callerOf(principal: Principal): Caller {
  if (principal.kind === 'admin') return {};
  if (principal.kind === 'member') return principal.tenantId === null ? {} : { tenant: principal.tenantId };
  return { tenant: principal.owner.tenantId, agent: principal.owner.agentId };
}
