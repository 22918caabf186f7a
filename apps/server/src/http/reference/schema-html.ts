import type { Route } from '@parley/protocol/route';
import { escapeHtml } from '../docs/escape-html.ts';
import { exampleHtml } from '../docs/example-html.ts';
import { exampleOf } from './example-of.ts';
import { fieldsOf } from './fields-of.ts';
import { fieldsTable } from './fields-table.ts';
import { alternativesOf, type JsonSchema, type Schemas } from './json-schema.ts';
import { prose } from './prose.ts';

/** The schemas that these routes name, and those that they name in turn. */
export function namesOf(own: readonly Route[], schemas: Schemas): string[] {
  const names = new Set<string>();
  const add = (name: string) => {
    const schema = schemas[name];
    if (!schema || names.has(name)) return;
    names.add(name);
    for (const [, next = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]*)"/g))
      add(next);
  };
  for (const { body, responses } of own) {
    if (typeof body === 'object') add(body.name);
    for (const { content = {} } of responses)
      for (const each of Object.values(content)) if (typeof each === 'object') add(each.name);
  }
  if (own.some(({ problems }) => problems.length > 0)) add('Problem');
  return [...names];
}

/** A schema: one line for each field, and an instance of it. */
export function schemaHtml(name: string, schemas: Schemas, link: (name: string) => string): string {
  const schema = schemas[name] ?? {};
  const kinds = kindsOf(schema);
  const tables =
    kinds.length > 1
      ? kinds
          .map(
            ([kind, part]) => `<h4><code>${escapeHtml(kind)}</code></h4>${fieldsTable(fieldsOf(part), link)}`,
          )
          .join('')
      : fieldsTable(fieldsOf(schema), link);
  const example = JSON.stringify(exampleOf(schema, schemas), null, 2);
  return `<h3 id="schema-${name}">${name}</h3><p>${prose(schema.description ?? '')}</p>${tables}<details><summary>Example</summary>${exampleHtml(example, name)}</details>`;
}

/** The kinds of a union whose members are told apart by their \`type\`; each is a table of its own. */
function kindsOf(schema: JsonSchema): [kind: string, schema: JsonSchema][] {
  const parts = alternativesOf(schema);
  const kinds = parts.map(({ properties }) => properties?.['type']?.const);
  return kinds.every((kind) => typeof kind === 'string')
    ? parts.map((part, index) => [String(kinds[index]), part])
    : [];
}
