import { parse } from 'yaml';
import { maxDocumentBytes } from './max-document-bytes.ts';
import { isObject, type Json, type JsonObject, parseJson } from './json.ts';

const maxOperations = 500;
/** How deep references are followed, and how many values they may bring into one operation. */
const maxDepth = 24;
const maxValues = 4_000;
const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/** One thing that an API can do. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly whole: JsonObject;
  /** What stands at its path for all of its methods. */
  readonly shared: JsonObject;
}

/** The description of an API as it is written; a text says why it is none. */
export class OpenApiDocument {
  readonly root: JsonObject;
  readonly operations: readonly Operation[];
  /** How many more operations it has than are listed. */
  readonly left: number;

  private constructor(root: JsonObject) {
    this.root = root;
    const all = operationsOf(root);
    this.operations = all.slice(0, maxOperations);
    this.left = all.length - this.operations.length;
  }

  static read(text: string): OpenApiDocument | string {
    if (new TextEncoder().encode(text).length > maxDocumentBytes) return 'The document is larger than 5 MB.';
    const root = parseJson(text) ?? parseYaml(text);
    if (!isObject(root)) return 'This is neither JSON nor YAML.';
    if (root['swagger'] !== undefined)
      return 'This is Swagger 2. Convert it to OpenAPI 3 first: editor.swagger.io does it.';
    if (typeof root['openapi'] !== 'string' || !root['openapi'].startsWith('3.'))
      return 'This describes no API: it does not say openapi: 3.';
    const document = new OpenApiDocument(root);
    return document.operations.length === 0 ? 'The document has no operation.' : document;
  }

  /** A value with each reference in place of what it refers to, and what could not be resolved left open. */
  resolved(value: Json | undefined): Resolved {
    const reader = new Resolver(this.root);
    return { value: reader.resolve(value ?? null, 0, []), isWhole: reader.isWhole };
  }
}

interface Resolved {
  readonly value: Json;
  /** False: something was too deep, too much, or elsewhere. */
  readonly isWhole: boolean;
}

function parseYaml(text: string): Json | undefined {
  try {
    // Each key would be compared with every other one.
    return parse(text, { maxAliasCount: 100, uniqueKeys: false }) as Json;
  } catch {
    return undefined;
  }
}

function operationsOf(root: JsonObject): Operation[] {
  const paths = isObject(root['paths']) ? root['paths'] : {};
  return Object.entries(paths).flatMap(([path, shared]) =>
    isObject(shared)
      ? methods.flatMap((method): Operation[] => {
          const whole = shared[method];
          if (!isObject(whole)) return [];
          const title = textOf(whole['summary']) || textOf(whole['operationId']) || '';
          return [{ method: method.toUpperCase(), path, title, whole, shared }];
        })
      : [],
  );
}

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '');

class Resolver {
  readonly #root: JsonObject;
  #left = maxValues;
  isWhole = true;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  resolve(value: Json, depth: number, within: readonly string[]): Json {
    this.#left -= 1;
    if (this.#left < 0 || depth > maxDepth) return this.#open();
    if (Array.isArray(value)) return value.map((item) => this.resolve(item, depth + 1, within));
    if (!isObject(value)) return value;
    const { $ref } = value;
    if (typeof $ref === 'string') {
      const target = this.#at($ref);
      // A schema that holds itself ends where it would begin again.
      if (target === undefined || within.includes($ref)) return this.#open();
      return this.resolve(target, depth + 1, [...within, $ref]);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.resolve(item, depth + 1, within)]),
    );
  }

  #open(): Json {
    this.isWhole = false;
    return {};
  }

  /** What a reference within the document points to. Nothing is fetched for one that leads out of it. */
  #at(reference: string): Json | undefined {
    if (!reference.startsWith('#/')) return undefined;
    let found: Json | undefined = this.#root;
    for (const part of reference.slice(2).split('/')) {
      const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(found)) found = found[Number(name)];
      else found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    }
    return found;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
