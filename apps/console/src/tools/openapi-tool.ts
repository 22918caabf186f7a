import { approvalOf } from './approval-of.ts';
import { isObject, type Json, type JsonObject, printJson } from './json.ts';
import { type OpenApiDocument, type Operation, textOf } from './openapi-document.ts';
import { schemaOfApi } from './openapi-schema.ts';
import { freeName, type Proposal, toolName } from './proposal.ts';
import type { HeaderRow, QueryRow } from './tool-entries.ts';

const maxDescription = 4_000;

/** A tool that does one thing that an API can do. `address` is where the document was found, if it was. */
export function toolOfOperation(
  document: OpenApiDocument,
  operation: Operation,
  address: string | null,
): Proposal {
  const { method, path, title, whole, shared } = operation;
  const made = new MadeRequest(document);
  const query: QueryRow[] = [];
  const headers: HeaderRow[] = [];
  const names = new Map<string, string>();
  for (const parameter of made.parameters(whole, shared)) {
    const { name, place } = parameter;
    if (place === 'path') names.set(name, made.parameter(parameter));
    else if (place === 'query')
      for (const value of made.query(parameter))
        query.push({ id: `query ${query.length}`, ...value, secret: false });
    else if (parameter.required)
      made.remarks.add(`${name} is wanted as a ${place}: add it by hand if it is needed.`);
  }
  const body = method === 'GET' || method === 'HEAD' ? '' : made.body(whole['requestBody']);
  for (const { place, name } of made.credentials(whole)) {
    if (place === 'query') query.push({ id: `query ${query.length}`, name, value: '', secret: true });
    else headers.push({ id: `header ${headers.length}`, name });
  }
  const template = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{{${names.get(name) ?? name}}}`);
  const said = textOf(whole['description']);
  return {
    remarks: [...made.remarks],
    entries: {
      name: toolName(textOf(whole['operationId']) || `${method} ${path}`),
      description: [title, said === title ? '' : said].filter(Boolean).join('\n\n').slice(0, maxDescription),
      method,
      url: `${serverOf(document, whole, shared, address)}${template}`,
      query: JSON.stringify(query),
      headers: JSON.stringify(headers),
      body,
      approval: approvalOf(method),
      parameters: printJson(made.schema()),
    },
  };
}

/** Where the API stands, without a slash at its end. */
function serverOf(
  { root }: OpenApiDocument,
  whole: JsonObject,
  shared: JsonObject,
  address: string | null,
): string {
  const lists = [whole['servers'], shared['servers'], root['servers']];
  const list = lists.find((each) => Array.isArray(each) && each.length > 0);
  const server = Array.isArray(list) && isObject(list[0]) ? list[0] : {};
  const variables = isObject(server['variables']) ? server['variables'] : {};
  const url = (textOf(server['url']) || '/').replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = variables[name];
    return isObject(variable) ? textOf(variable['default']) : name;
  });
  const found = URL.parse(url, address ?? undefined)?.href ?? url;
  return found.replace(/[?#].*$/s, '').replace(/\/+$/, '');
}

interface ApiParameter {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly schema: JsonObject;
  readonly description: string;
  /** How a list or an object is written (OpenAPI 3, Parameter Object); `JSON` where it has a media type instead. */
  readonly style: string;
  readonly explode: boolean;
}

/** What lists are joined with that are sent as one value. */
const separators = new Map([
  ['simple', 'commas'],
  ['form', 'commas'],
  ['spaceDelimited', 'spaces'],
  ['pipeDelimited', '|'],
]);

const isOf = ({ type }: JsonObject, wanted: string): boolean => [type].flat().includes(wanted);

class MadeRequest {
  readonly remarks = new Set<string>();
  readonly #document: OpenApiDocument;
  readonly #properties: Record<string, Json> = {};
  readonly #required: string[] = [];

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** Those of the operation, and of its path where the operation says nothing else. */
  parameters(whole: JsonObject, shared: JsonObject): ApiParameter[] {
    const found = new Map<string, ApiParameter>();
    for (const list of [shared['parameters'], whole['parameters']]) {
      const resolved = this.#resolved(list);
      for (const each of Array.isArray(resolved) ? resolved : []) {
        if (!isObject(each) || textOf(each['name']) === '') continue;
        const name = textOf(each['name']);
        const place = textOf(each['in']);
        const [media] = isObject(each['content']) ? Object.values(each['content']) : [];
        const style = textOf(each['style']) || (place === 'query' ? 'form' : 'simple');
        found.set(`${place} ${name}`, {
          name,
          place,
          required: place === 'path' || each['required'] === true,
          schema: schemaOfApi((isObject(media) ? media['schema'] : each['schema']) ?? {}),
          description: textOf(each['description']),
          style: media === undefined ? style : 'JSON',
          explode: typeof each['explode'] === 'boolean' ? each['explode'] : style === 'form',
        });
      }
    }
    return [...found.values()];
  }

  /** The name of the argument that a model fills in. */
  parameter(parameter: ApiParameter): string {
    const { name, place, style, explode, schema, description, required } = parameter;
    const isList = isOf(schema, 'array');
    const isRepeated = place === 'query' && style !== 'JSON' && explode;
    const separator = separators.get(style);
    if (isList && !isRepeated && separator !== undefined) {
      const { items } = schema;
      const choice = isObject(items) && Array.isArray(items['enum']) ? items['enum'] : [];
      const words = choice.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
      const each = words.length > 0 ? ` Each is one of ${words.join(', ')}.` : '';
      const joined = `${description} Several are separated by ${separator}.${each}`.trim();
      return this.#declare(name, { type: 'string', description: joined }, required);
    }
    const isSent = place === 'query' || style === 'simple';
    const isWanted = isList ? isRepeated : style === 'JSON' || !isOf(schema, 'object');
    if (!isSent || !isWanted) this.#otherForm(parameter);
    const said = description === '' ? {} : { description };
    return this.#declare(name, { ...schema, ...said }, required);
  }

  /** What is sent of it in the query: an object may have a value for each of its fields. */
  query(parameter: ApiParameter): Pick<QueryRow, 'name' | 'value'>[] {
    const { name, style, explode, schema } = parameter;
    const { properties, required = [] } = schema;
    const isDeep = style === 'deepObject';
    const fields =
      (isDeep || (style === 'form' && explode)) && isObject(properties) ? Object.entries(properties) : [];
    if (fields.length === 0) return [{ name, value: `{{${this.parameter(parameter)}}}` }];
    return fields.map(([field, property]) => {
      const key = isDeep ? `${name}[${field}]` : field;
      if (isObject(property) && isOf(property, 'object')) this.#otherForm({ ...parameter, name: key });
      const isRequired = parameter.required && Array.isArray(required) && required.includes(field);
      return { name: key, value: `{{${this.#declare(key, property, isRequired)}}}` };
    });
  }

  #otherForm({ name, style }: ApiParameter): void {
    this.remarks.add(
      `${name} may be wanted in a form that tools do not send (${style}): change the request if it is needed.`,
    );
  }

  /** The template of a JSON body: each field of it an argument, or all of it one. */
  body(given: Json | undefined): string {
    const body = this.#resolved(given);
    if (!isObject(body) || !isObject(body['content'])) return '';
    const types = Object.entries(body['content']);
    const json = types.find(([type]) => /^[^;]*[/+]json\b/i.test(type) || type === '*/*')?.[1];
    if (!isObject(json)) {
      this.remarks.add(
        `It takes ${types.map(([type]) => type).join(', ')}, and tools send JSON: it may refuse them.`,
      );
      return '';
    }
    const schema = schemaOfApi(json['schema'] ?? {});
    const { properties, required = [] } = schema;
    if (!isObject(properties) || Object.keys(properties).length === 0)
      return printJson(`{{${this.#declare('body', schema, body['required'] === true)}}}`);
    const fields = Object.entries(properties).flatMap(([name, property]): [string, string][] => {
      if (isObject(property) && property['readOnly'] === true) return [];
      const isRequired = Array.isArray(required) && required.includes(name);
      return [[name, `{{${this.#declare(name, property, isRequired)}}}`]];
    });
    return printJson(Object.fromEntries(fields));
  }

  /** Where it wants to be told who calls. Of several ways the first. */
  credentials(whole: JsonObject): { place: string; name: string }[] {
    const { root } = this.#document;
    const wanted = whole['security'] ?? root['security'];
    const first = Array.isArray(wanted) ? wanted[0] : undefined;
    const components = isObject(root['components']) ? root['components'] : {};
    const schemes = this.#resolved(components['securitySchemes']);
    if (!isObject(first) || !isObject(schemes)) return [];
    return Object.keys(first).flatMap((name) => {
      const scheme = schemes[name];
      if (!isObject(scheme)) return [];
      if (scheme['type'] !== 'apiKey') return [{ place: 'header', name: 'Authorization' }];
      if (scheme['in'] !== 'cookie') return [{ place: textOf(scheme['in']), name: textOf(scheme['name']) }];
      this.remarks.add('It asks for a cookie, which tools do not send.');
      return [];
    });
  }

  schema(): JsonObject {
    const required = this.#required.length > 0 && { required: this.#required };
    return { type: 'object', properties: this.#properties, ...required };
  }

  #declare(name: string, schema: Json, required: boolean): string {
    const plain = name.replaceAll(/[^\w.-]+/g, '_').replace(/^visitor\./, 'visitor_') || 'value';
    const free = freeName(plain, (each) => Object.hasOwn(this.#properties, each));
    this.#properties[free] = schema;
    if (required) this.#required.push(free);
    return free;
  }

  #resolved(value: Json | undefined): Json {
    const { value: found, isWhole } = this.#document.resolved(value);
    if (!isWhole)
      this.remarks.add(
        'Parts of its schema are left open: they refer to other documents, to themselves, or go too deep.',
      );
    return found;
  }
}
