import { z } from 'zod';
import { glossary } from './glossary.ts';
import type { Route } from './route.ts';

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  /** JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const text = { type: 'string' };

const places: Readonly<Record<string, string>> = {
  id: 'The id of what the call is about.',
  delivery: 'The id of the delivery.',
  name: 'The name of the file.',
  note: 'The id of the note.',
  revision: 'The number of the revision.',
  version: 'A version of the widget, such as `v0.1.0`.',
};

/** What a route takes besides its body: the places in its path, its headers, and the fields of its query. */
export function parametersOf({ path, headers = [], query }: Route): Parameter[] {
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']): Parameter => ({
      in: 'path',
      name,
      description: places[name] ?? '',
      required: true,
      schema: text,
    })),
    ...headers.map((header): Parameter => ({ in: 'header', required: false, schema: text, ...header })),
    ...(query ? queryParameters(query) : []),
  ];
}

function queryParameters(query: z.ZodType): Parameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const { description = glossary[name] ?? '', ...schema } = Object(property) as { description?: string };
    return { in: 'query', name, description, required: required.includes(name), schema };
  });
}
