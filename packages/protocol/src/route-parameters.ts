import { z } from 'zod';
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

/** What a route takes besides its body: the places in its path, its headers, and the fields of its query. */
export function parametersOf({ path, headers = [], query }: Route): Parameter[] {
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']): Parameter => ({
      in: 'path',
      name,
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
    const { description = '', ...schema } = Object(property) as { description?: string };
    return { in: 'query', name, description, required: required.includes(name), schema };
  });
}
