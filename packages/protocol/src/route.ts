import type { z } from 'zod';
import type { BodyBounds } from './body-bounds.ts';
import { servicePatterns } from './paths.ts';
import type { ProblemCode } from './problem.ts';
import type { MemberRole } from './settings/member.ts';

/**
 * Whose credential a route asks for. `anyone`: none is read. `key`: a secret or publishable key that is bound to an
 * agent. `settings`: the administrator's, or that of a member with the route's role. `member`: a member's, for what is
 * their own. `browser`: none is read, and pages of other origins are refused.
 */
export type RoutePrincipal = 'anyone' | 'key' | 'settings' | 'member' | 'browser';

export interface HeaderParameter {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
}

/** A schema under the name that it has in the reference. */
export interface NamedSchema<Name extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly name: Name;
  readonly schema: Schema;
}

export interface JsonBody<Schema extends z.ZodType = z.ZodType> extends NamedSchema<string, Schema> {
  /** False: a request without one is read as `{}`. */
  readonly required: boolean;
  readonly bounds: BodyBounds;
  /** `json` refuses other content types with 415; `any` reads JSON whatever it is called. */
  readonly contentType: 'json' | 'any';
  /** Refused with U+0000 in any text; lone surrogates become U+FFFD. Otherwise the schema says it of its texts. */
  readonly cleanText?: true;
}

export interface RouteResponse {
  readonly status: number;
  readonly description: string;
  /** By media type; `text` and `bytes` are not JSON. Absent: no body. */
  readonly content?: Readonly<Record<string, NamedSchema | 'text' | 'bytes'>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** All that the service, its reference and its tests know about a route. */
export interface Route {
  /** Unique; the operation's id in the reference. */
  readonly name: string;
  readonly tag: 'Chat' | 'Sessions' | 'Settings' | 'Widget' | 'Service';
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Express-like, with `:id`. */
  readonly path: string;
  readonly principal: RoutePrincipal;
  /** Of `settings` and `member`: the least that a member has to be. */
  readonly role?: MemberRole;
  /** Of `settings`: for no member of a single tenant. */
  readonly everyTenant?: true;
  /** Of `key`: for the tenant's own servers, with a secret key. */
  readonly secretKey?: true;
  /** The route starts work: the key's agent has to be switched on, or else somebody of the team answers in this session. */
  readonly activeAgent?: true | 'or-held';
  /** `required`: for identified visitors only. `unexpired`: the response stays open, so an expired token has no leeway. */
  readonly visitor?: 'required' | 'unexpired';
  readonly summary: string;
  readonly headers?: readonly HeaderParameter[];
  /** Reads the query as Express parses it: texts, and lists of texts. Absent: the query is not looked at. */
  readonly query?: z.ZodType;
  /** `bytes`: of any media type, as they are. */
  readonly body?: JsonBody | 'bytes';
  readonly responses: readonly RouteResponse[];
  readonly problems: readonly ProblemCode[];
}

/** What a process answers as long as there is one. */
const ofProcess: readonly string[] = [servicePatterns.live, servicePatterns.metrics];

/** What a call may be refused with, what every call of its kind may be included. */
export function problemsOf({ path, problems }: Route): readonly ProblemCode[] {
  return [
    ...new Set<ProblemCode>([
      ...problems,
      // A place in the path may be no text: %00, or half an escape.
      ...(path.includes(':') ? (['BAD_REQUEST'] as const) : []),
      // The database may be away, and a process that stops takes nothing.
      ...(ofProcess.includes(path) ? [] : (['UNAVAILABLE'] as const)),
    ]),
  ];
}

export const named = <const Name extends string, Schema extends z.ZodType>(
  name: Name,
  schema: Schema,
): NamedSchema<Name, Schema> => ({ name, schema });

/** A response whose body is JSON. */
export const jsonResponse = (status: number, description: string, body: NamedSchema): RouteResponse => ({
  status,
  description,
  content: { 'application/json': body },
});

/** A response that leads on, and says where to in words as well, in whichever of the two is asked for. */
export const redirectResponse = <const Status extends number>(
  status: Status,
  description: string,
  location: string,
) => ({
  status,
  description,
  content: { 'text/plain': 'text', 'text/html': 'text' } as const,
  headers: { Location: location },
});

/** A body of the settings API. */
export const jsonBody = <const Name extends string, Schema extends z.ZodType>(
  name: Name,
  schema: Schema,
  bounds: BodyBounds,
) => ({ ...named(name, schema), required: true, bounds, contentType: 'json', cleanText: true }) as const;
