import { z } from 'zod';
import { type ProblemCode, problemStatus } from './problem.ts';
import type { Answer, Parameter, Route } from './route.ts';
import { answerSchemas, requestSchemas } from './route-schemas.ts';
import { routes } from './routes.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 description of every route, its paths and headers named for `platform`. */
export function openapiDocument(platform: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes(platform)) {
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
    tags: [{ name: 'Chat' }, { name: 'Sessions' }, { name: 'Settings' }, { name: 'Service' }],
    paths,
    components: {
      schemas: { ...schemas(requestSchemas, 'input'), ...schemas(answerSchemas, 'output') },
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret key (`sk_live_…`), on servers only, or a publishable key (`pk_live_…`).',
        },
        admin: { type: 'http', scheme: 'bearer', description: 'The administration token.' },
      },
    },
  };
}

function operation(route: Route): Json {
  const id = route.path.includes(':id')
    ? [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }]
    : [];
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    security: route.guard === 'none' ? [] : [{ [route.guard]: [] }],
    parameters: [...id, ...(route.parameters ?? []).map(parameter)],
    ...(route.request && {
      requestBody: { required: route.request.required, content: requestContent(route.request.body) },
    }),
    responses: { ...Object.fromEntries(route.answers.map(answer)), ...problems(route.problems) },
  };
}

const parameter = ({ required = false, ...rest }: Parameter): Json => ({
  ...rest,
  required,
  schema: { type: 'string' },
});

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const requestContent = (name: string): Json => (name === 'bytes' ? { '*/*': {} } : jsonContent(name));
const jsonContent = (name: string): Json => ({ 'application/json': { schema: reference(name) } });

function answer({ status, description, content, headers }: Answer): [string, Json] {
  const bodies = Object.entries(content ?? {}).map(([mediaType, name]) => [
    mediaType,
    { schema: name === 'text' ? { type: 'string' } : reference(name) },
  ]);
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

function schemas(named: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
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
    Object.entries(printed.schemas).map(([id, { $id: _id, $schema: _schema, ...schema }]) => [id, schema]),
  );
}
