import {
  idempotencyKeyLength,
  maxAcceptLength,
  maxBodyBytes,
  maxFilenameLength,
  maxMediaTypeLength,
} from '@parley/protocol/bounds';
import { filenameHeader } from '@parley/protocol/file-paths';
import type { Route } from '@parley/protocol/route';
import { type RequestName, requestSchemas } from '@parley/protocol/route-schemas';
import { routes } from '@parley/protocol/routes';
import { z } from 'zod';
import type { Guest, Target } from './guest.ts';
import { type Schema, largestInstances } from './largest-instance.ts';

export interface LargestRequest {
  /** The route's name and which of its largest bodies this is. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** The session it is sent to or begins, once it was answered; null where there is none. */
  readonly session: (answer: unknown) => string | null;
}

/** Leaves room for the strings that a generated body is made longer by. */
const bodyBytes = maxBodyBytes - 2_048;

/** Every route of the table with the largest requests that it lets in, each on things of its own. */
export async function* largestRequests(guest: Guest): AsyncGenerator<LargestRequest> {
  for (const route of routes('parley')) {
    if (route.name === 'live' || route.name === 'ready') continue;
    const { request } = route;
    const bodies = request ? bodiesOf(request.body, guest) : [undefined];
    for (const [index, makeBody] of bodies.entries()) {
      const target = await guest.targetOf(route);
      yield {
        name: `${route.name} ${index + 1}/${bodies.length}`,
        method: route.method.toUpperCase(),
        path: target.path + largestQuery(route, target.known),
        headers: {
          ...guest.headersOf(route),
          accept: `application/json${';q=0.9,text/x'.repeat(maxAcceptLength).slice(0, maxAcceptLength - 16)}`,
          ...(hasParameter(route, 'idempotency-key') && {
            'idempotency-key': `${route.name}-${index}-`.padEnd(idempotencyKeyLength.max, 'k'),
          }),
          ...(request && {
            'content-type': request.body === 'bytes' ? largestMediaType : 'application/json',
          }),
          ...(hasParameter(route, filenameHeader('parley')) && {
            [filenameHeader('parley')]: encodeURIComponent('\u{1F600}'.repeat(maxFilenameLength)),
          }),
        },
        body: makeBody?.(target.known),
        session: (answer) => target.sessionId ?? sessionOf(answer),
      };
    }
  }
}

type MakeBody = (known: Target['known']) => string | Uint8Array<ArrayBuffer>;

/** As many bytes of a file as an agent takes by default. */
const fileBytes = 10 * 1_024 * 1_024;
const largestMediaType = `application/pdf; name=${'n'.repeat(maxMediaTypeLength - 'application/pdf; name='.length)}`;

function bodiesOf(name: RequestName | 'bytes', guest: Guest): MakeBody[] {
  if (name === 'bytes') return [() => new Uint8Array(fileBytes)];
  const schema = z.toJSONSchema(requestSchemas[name], { io: 'input' }) as Schema;
  const count = largestInstances(schema, {}, 1_000).length;
  const generated = Array.from(
    { length: count },
    (_, index) => (known: Target['known']) => largestInstances(schema, known, bodyBytes)[index],
  );
  return [...generated, ...guest.hostileBodies(name)].map(
    (makeBody) => (known) => JSON.stringify(makeBody(known)),
  );
}

/** The query that lets a reader have the most. Optional filters would leave less. */
function largestQuery({ tag, parameters = [] }: Route, known: Target['known']): string {
  const query = new URLSearchParams();
  for (const { in: place, name, required = false } of parameters) {
    if (place !== 'query') continue;
    const value = name === 'limit' && tag === 'Settings' ? '200' : largestParameter[name];
    if (value !== undefined) query.set(name, value);
    else if (required) query.set(name, known[name] ?? 'x'.repeat(500));
  }
  return query.size === 0 ? '' : `?${query}`;
}

const largestParameter: Readonly<Record<string, string>> = {
  limit: '100',
  startIndex: '0',
  includeTailIndex: '1',
  soFar: '1',
  format: 'json',
};

function hasParameter({ parameters = [] }: Route, name: string): boolean {
  return parameters.some((parameter) => parameter.in === 'header' && parameter.name === name);
}

function sessionOf(answer: unknown): string | null {
  const { sessionId } = Object(answer) as { sessionId?: unknown };
  return typeof sessionId === 'string' ? sessionId : null;
}
