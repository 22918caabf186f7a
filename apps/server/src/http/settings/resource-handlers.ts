import type { JsonBody } from '@parley/protocol/route';
import type { RouteName, RouteNamed } from '@parley/protocol/routes';
import type { Response } from 'express';
import type { z } from 'zod';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Resource } from '../../settings/resource.ts';
import type { Handlers } from '../handlers.ts';

/** `Tenant` where the table has `createTenant`, `listTenants`, `readTenant`, `updateTenant` and `deleteTenant`. */
type ResourceKind = {
  [Name in RouteName]: Name extends `update${infer Kind}`
    ? `create${Kind}` extends RouteName
      ? Kind
      : never
    : never;
}[RouteName];

type ResourceRoute<Kind extends ResourceKind> = Extract<
  RouteName,
  `${'create' | 'read' | 'update' | 'delete'}${Kind}` | `list${Kind}s`
>;

type BodyOf<Name extends RouteName> =
  RouteNamed<Name> extends { body: JsonBody<infer Schema> } ? z.output<Schema> : never;

interface AnyInput {
  readonly response: Response;
  readonly principal: SettingsPrincipal;
  readonly id: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what the resource of this kind takes
  readonly body: any;
  readonly query: { readonly cursor?: string; readonly limit: number };
}

/** The five routes of a kind of settings. */
export function resourceHandlers<
  Kind extends ResourceKind,
  Stored extends { readonly id: string },
  View extends object,
>(
  kind: Kind,
  resource: Resource<
    Stored,
    BodyOf<Extract<RouteName, `create${Kind}`>>,
    BodyOf<Extract<RouteName, `update${Kind}`>>,
    View
  >,
): Handlers<ResourceRoute<Kind>> {
  const handlers: Record<string, (input: AnyInput) => Promise<void>> = {
    async [`create${kind}`]({ response, principal, body }) {
      response.status(201).json(await resource.create(principal, body));
    },
    async [`list${kind}s`]({ response, principal, query }) {
      response.json(await resource.list(principal, query));
    },
    async [`read${kind}`]({ response, principal, id }) {
      response.json(await resource.read(principal, id));
    },
    async [`update${kind}`]({ response, principal, id, body }) {
      response.json(await resource.update(principal, id, body));
    },
    async [`delete${kind}`]({ response, principal, id }) {
      await resource.delete(principal, id);
      response.status(204).end();
    },
  };
  // The names are made of the kind, which the compiler does not follow through an object.
  return handlers as unknown as Handlers<ResourceRoute<Kind>>;
}
