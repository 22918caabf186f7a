import { idempotencyKeyHeader } from '@parley/protocol/paths';
import type { JsonBody, Route } from '@parley/protocol/route';
import type { RouteName } from '@parley/protocol/routes';
import { jsonFault, wellFormedJson } from '@parley/protocol/text';
import { type Request, type Response, Router } from 'express';
import { type KeyAuthDeps, authenticateKey } from '../auth/authenticate-key.ts';
import { type SettingsAuthDeps, settingsAuthenticator } from '../auth/authenticate-settings.ts';
import type { Principal } from '../auth/principal.ts';
import type { Tracer } from '../trace/span.ts';
import { rejectForgery } from '../auth/reject-forgery.ts';
import { readJsonBody } from './body/read-json-body.ts';
import type { Handlers } from './handlers.ts';
import { idempotencyKey } from './repeatable.ts';
import { parse, parseOrFirstIssue } from './parse.ts';
import { ProblemError } from './problem.ts';
import { noteCaller } from './request-caller.ts';

type MountDeps = KeyAuthDeps & SettingsAuthDeps & { readonly tracer: Tracer | null };

interface AnyInput {
  readonly request: Request;
  readonly response: Response;
  readonly principal: Principal | null;
  readonly id: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly sentBody: unknown;
}
type AnyHandler = (input: AnyInput) => void | Promise<void>;

/**
 * Serves the routes of the table, in its order: principal, rate of requests, headers, query, body within its bounds,
 * and then the handler.
 */
export function mount(table: readonly Route[], handlers: Handlers<RouteName>, deps: MountDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const authenticateSettings = settingsAuthenticator(deps);
  // Each handler takes what the table says of its own route, which no type of a loop over them can say.
  const byName = handlers as unknown as Readonly<Record<string, AnyHandler>>;
  for (const route of table) {
    const handle = byName[route.name];
    if (!handle) throw new Error(`The route ${route.name} has no handler.`);
    router[route.method](route.path, listener(route, handle, deps, authenticateSettings));
  }
  const unnamed = Object.keys(byName).find((name) => !table.some((route) => route.name === name));
  if (unnamed !== undefined) throw new Error(`The handler ${unnamed} has no route.`);
  return router;
}

function listener(
  route: Route,
  handle: AnyHandler,
  deps: MountDeps,
  authenticateSettings: ReturnType<typeof settingsAuthenticator>,
): (request: Request, response: Response) => Promise<void> {
  const { principal: wanted, query: querySchema, body } = route;
  const isRepeatable = route.headers?.some(({ name }) => name === idempotencyKeyHeader) ?? false;
  // The session protocol tells one issue in one sentence, the other interfaces list them all.
  const read = route.tag === 'Sessions' ? parseOrFirstIssue : parse;

  return async (request, response) => {
    let principal: Principal | null = null;
    if (wanted === 'key') principal = await authenticateKey(deps, route, request, response);
    else if (wanted === 'browser') rejectForgery(request, deps.ownOrigins);
    else if (wanted !== 'anyone') principal = await authenticateSettings(route, request);
    if (principal !== null) noteCaller(deps.tracer, route, { request, response, principal });
    // Before the body is read, which a wrong header need not cost.
    if (isRepeatable) idempotencyKey(request);
    const { id = '' } = request.params as { id?: string };
    // A store of text keeps none.
    if (jsonFault(request.params) === 'nul' || jsonFault(request.query) === 'nul')
      throw new ProblemError('BAD_REQUEST', 'U+0000 is not accepted.');
    const query = querySchema && read(querySchema, { ...request.query });
    const sentBody = typeof body === 'object' ? await readBody(request, body) : undefined;
    await handle({
      request,
      response,
      principal,
      id,
      query,
      body: typeof body === 'object' ? read(body.schema, sentBody) : undefined,
      sentBody,
    });
  };
}

async function readBody(
  request: Request,
  { bounds, contentType, required, cleanText }: JsonBody,
): Promise<unknown> {
  const body = await readJsonBody(request, { bounds, contentType, optional: !required });
  if (body === undefined) return {};
  if (!cleanText) return body;
  if (jsonFault(body) === 'nul') throw new ProblemError('BAD_REQUEST', 'U+0000 is not accepted.');
  return wellFormedJson(body);
}
