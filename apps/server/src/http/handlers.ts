import type { JsonBody } from '@parley/protocol/route';
import type { RouteName, RouteNamed } from '@parley/protocol/routes';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { KeyPrincipal, MemberPrincipal, SettingsPrincipal } from '../auth/principal.ts';

type PrincipalOf<Route> = Route extends { principal: 'key'; visitor: 'required' }
  ? KeyPrincipal & { readonly visitor: string }
  : Route extends { principal: 'key' }
    ? KeyPrincipal
    : Route extends { principal: 'settings' }
      ? SettingsPrincipal
      : Route extends { principal: 'member' }
        ? MemberPrincipal
        : null;

type BodyOf<Route> = Route extends { body: JsonBody<infer Schema> } ? z.output<Schema> : undefined;
type QueryOf<Route> = Route extends { query: infer Query extends z.ZodType } ? z.output<Query> : undefined;

/** A request that the table of routes lets through, its body and query parsed. */
interface Input<Route> {
  readonly request: Request;
  readonly response: Response;
  readonly principal: PrincipalOf<Route>;
  /** The `:id` of the path; empty where it has none. */
  readonly id: string;
  readonly query: QueryOf<Route>;
  readonly body: BodyOf<Route>;
  /** The body as it was sent, for what has to be compared with a repeat of it. */
  readonly sentBody: unknown;
}

export type Handler<Name extends RouteName> = (input: Input<RouteNamed<Name>>) => void | Promise<void>;

/** Answers the requests of these routes. What a handler throws becomes a problem. */
export type Handlers<Name extends RouteName> = { readonly [Each in Name]: Handler<Each> };
