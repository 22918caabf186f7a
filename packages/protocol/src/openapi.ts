import { z } from 'zod';
import { describeFields } from './describe-fields.ts';
import { type ProblemCode, problemSchema, problemStatus } from './problem.ts';
import { type NamedSchema, named, problemsOf, type Route, type RouteResponse } from './route.ts';
import { parametersOf } from './route-parameters.ts';
import { routes } from './routes.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 description of every route, its paths and headers named for `platform`. */
export function openapiDocument(platform: string): Json {
  const paths: Record<string, Json> = {};
  const all: readonly Route[] = routes(platform);
  for (const route of all) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version: '1',
      description:
        'Agents behind two interfaces: Chat, one request and one reply, and Sessions, a log of events.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Chat' },
      { name: 'Sessions' },
      { name: 'Settings' },
      { name: 'Widget' },
      { name: 'Service' },
    ],
    paths,
    components: {
      schemas: { ...schemas(requestsOf(all), 'input'), ...schemas(responsesOf(all), 'output') },
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret key (`sk_live_…`), on servers only, or a publishable key (`pk_live_…`).',
        },
        admin: { type: 'http', scheme: 'bearer', description: 'The administration token.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-parley-console',
          description:
            'A member’s session of the console; without https the name has no `__Host-`. What is no GET also needs the header `x-parley-console: 1`.',
        },
      },
    },
  };
}

function operation(route: Route): Json {
  const { name, tag, summary, principal, body, responses } = route;
  return {
    operationId: name,
    tags: [tag],
    summary,
    security: securityOf(principal).map((scheme) => ({ [scheme]: [] })),
    parameters: parametersOf(route),
    ...(body && {
      requestBody:
        body === 'bytes'
          ? { required: true, content: { '*/*': {} } }
          : { required: body.required, content: jsonContent(body.name) },
    }),
    responses: { ...Object.fromEntries(responses.map(response)), ...problems(problemsOf(route)) },
  };
}

function securityOf(principal: Route['principal']): string[] {
  switch (principal) {
    case 'anyone':
    case 'browser':
      return [];
    case 'key':
      return ['key'];
    case 'settings':
      return ['admin', 'session'];
    case 'member':
      return ['session'];
  }
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const jsonContent = (name: string): Json => ({ 'application/json': { schema: reference(name) } });

function mediaType(content: NamedSchema | 'text' | 'bytes'): Json {
  if (content === 'bytes') return {};
  return { schema: content === 'text' ? { type: 'string' } : reference(content.name) };
}

function response({ status, description, content, headers }: RouteResponse): [string, Json] {
  const bodies = Object.entries(content ?? {}).map(([type, body]) => [type, mediaType(body)]);
  const described = Object.entries(headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  return [
    String(status),
    {
      description,
      ...(described.length > 0 && { headers: Object.fromEntries(described) }),
      ...(content && { content: Object.fromEntries(bodies) }),
    },
  ];
}

function problems(codes: readonly ProblemCode[]): Json {
  const all: readonly ProblemCode[] = [...codes, 'INTERNAL'];
  const statuses = [...new Set(all.map((code) => problemStatus[code]))];
  return Object.fromEntries(
    statuses.map((status) => {
      const named = all.filter((code) => problemStatus[code] === status).map((code) => `\`${code}\``);
      const retryAfter = { description: 'Seconds to wait.', schema: { type: 'string' } };
      return [
        String(status),
        {
          description: named.join(', '),
          ...((status === 429 || status === 503) && { headers: { 'Retry-After': retryAfter } }),
          content: jsonContent('Problem'),
        },
      ];
    }),
  );
}

function requestsOf(all: readonly Route[]): NamedSchema[] {
  return all.flatMap(({ body }) => (body === undefined || body === 'bytes' ? [] : [body]));
}

function responsesOf(all: readonly Route[]): NamedSchema[] {
  const bodies = all.flatMap(({ responses }) =>
    responses.flatMap(({ content = {} }) => Object.values(content)),
  );
  return [named('Problem', problemSchema), ...bodies.filter((body) => typeof body === 'object')];
}

function schemas(all: readonly NamedSchema[], io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  for (const { name, schema } of new Map(all.map((each) => [each.name, each])).values())
    registry.add(schema, { id: name });
  const printed = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      // Readers must tolerate new fields; only strict objects refuse them.
      const { def } = zodSchema._zod;
      if (def.type === 'object' && !('catchall' in def && def.catchall))
        delete jsonSchema.additionalProperties;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return Object.fromEntries(
    Object.entries(printed.schemas).map(([id, { $id: _id, $schema: _schema, ...schema }]) => [
      id,
      describeFields(schema, id),
    ]),
  );
}
