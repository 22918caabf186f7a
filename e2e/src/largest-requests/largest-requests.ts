import {
  idempotencyKeyLength,
  maxAcceptLength,
  maxBodyBytes,
  maxFilenameLength,
  maxMediaTypeLength,
} from '@parley/protocol/bounds';
import { filenameHeader } from '@parley/protocol/file-paths';
import type { Route } from '@parley/protocol/route';
import { parametersOf } from '@parley/protocol/route-parameters';
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
  const all: readonly Route[] = routes('parley');
  for (const route of all) {
    if (!takesRequests(route)) continue;
    const { body } = route;
    const bodies = body ? bodiesOf(body, guest) : [undefined];
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
          ...(body && { 'content-type': body === 'bytes' ? largestMediaType : 'application/json' }),
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

/**
 * Pages and scripts are the same for everybody, and take nothing but an address. What begins or ends a session of the
 * console is let in thirty times in a quarter of an hour, and what asks for the password once more ten times.
 */
export const takesRequests = ({ tag, name, principal, body }: Route): boolean =>
  tag !== 'Service' &&
  (tag !== 'Widget' || name === 'widgetConfig') &&
  principal !== 'browser' &&
  (body === undefined || body === 'bytes' || body.name !== 'PasswordConfirmation') &&
  !['readFile', 'signOut', 'endConsoleSession'].includes(name);

type MakeBody = (known: Target['known']) => string | Uint8Array<ArrayBuffer>;

/** As many bytes of a file as an agent takes by default. */
const fileBytes = 10 * 1_024 * 1_024;
const largestMediaType = `application/pdf; name=${'n'.repeat(maxMediaTypeLength - 'application/pdf; name='.length)}`;

function bodiesOf(body: NonNullable<Route['body']>, guest: Guest): MakeBody[] {
  if (body === 'bytes') return [() => new Uint8Array(fileBytes).fill(0x78)];
  const schema = z.toJSONSchema(body.schema, { io: 'input' }) as Schema;
  const count = largestInstances(schema, {}, 1_000).length;
  const generated = Array.from(
    { length: count },
    (_, index) => (known: Target['known']) => largestInstances(schema, known, bodyBytes)[index],
  );
  return [...generated, ...guest.hostileBodies(body.name)].map(
    (makeBody) => (known) => JSON.stringify(makeBody(known)),
  );
}

/** The query that lets a reader have the most. Optional filters would leave less. */
function largestQuery(route: Route, known: Target['known']): string {
  const query = new URLSearchParams();
  for (const { in: place, name, required } of parametersOf(route)) {
    if (place !== 'query') continue;
    const value = name === 'limit' && route.tag === 'Settings' ? '200' : largestParameter[name];
    const given = known[name];
    if (value !== undefined) query.set(name, value);
    else if (required || (name === 'tenantId' && ofOneTenant.includes(route.name)))
      query.set(name, typeof given === 'string' ? given : 'x'.repeat(500));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** Routes that a caller of every tenant has to name one to. */
const ofOneTenant = [
  'listConversations',
  'listInbox',
  'streamInbox',
  'listColleagues',
  'listContacts',
  'readUsage',
];

const largestParameter: Readonly<Record<string, string>> = {
  limit: '100',
  filename: 'n'.repeat(maxFilenameLength),
  startIndex: '0',
  includeTailIndex: '1',
  soFar: '1',
  format: 'json',
  search: 'o'.repeat(200),
};

function hasParameter({ headers = [] }: Route, name: string): boolean {
  return headers.some((header) => header.name === name);
}

function sessionOf(answer: unknown): string | null {
  const { sessionId } = Object(answer) as { sessionId?: unknown };
  return typeof sessionId === 'string' ? sessionId : null;
}
