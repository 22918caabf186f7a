/** A JSON Schema as zod prints it. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly maxProperties?: number;
  /** Of the value as JSON: zod has no such bound, ours does. */
  readonly 'x-maxBytes'?: number;
}

/** Tokens and ids that exist, by the name of their field in the body. */
export type Known = Readonly<Record<string, unknown>>;

const longUrl = `https://example.com/${'p'.repeat(1_900)}`;
/** Of what is called at once: refused before anybody is. */
const refusedUrl = `http://127.0.0.1:1/${'p'.repeat(1_900)}`;

/** Values whose rules no schema can state, by the name of their field at any depth. */
const shaped: Known = {
  url: refusedUrl,
  baseUrl: refusedUrl,
  link: longUrl,
  privacyUrl: longUrl,
  allowedOrigins: Array.from({ length: 200 }, (_, index) => `https://${'a'.repeat(60)}.example${index}.com`),
  approvalMail: Array.from({ length: 10 }, (_, index) => ({
    address: `${'a'.repeat(60)}${index}@${`${'b'.repeat(60)}.`.repeat(3)}example`,
  })),
  fields: Array.from({ length: 10 }, (_, index) => ({
    name: `field${index}`,
    label: 'l'.repeat(200),
    description: 'd'.repeat(500),
    type: 'select',
    options: Array.from({ length: 50 }, (__, option) => ({ id: `o${option}`, label: 'l'.repeat(200) })),
  })),
  pipeline: {
    stages: Array.from({ length: 20 }, (_, index) => ({ id: `s${index}`, name: 'n'.repeat(60) })),
    fields: Array.from({ length: 20 }, (_, index) => ({ id: `f${index}`, name: 'n'.repeat(60) })),
    retentionDays: 3_650,
  },
  hours: { timeZone: 'Europe/Berlin', monday: { from: '09:00', to: '17:00' } },
  identity: {},
  approval: 'always',
  method: 'POST',
};

/** Strings for patterns that a run of one letter does not satisfy; the first that matches is taken. */
const examples = [
  'xx'.padEnd(100, '-x'),
  'https://example.com/',
  'https://www.example.com',
  'http://127.0.0.1:1/tool',
  '#2563eb',
  'image/*',
  'text/plain',
  'a',
  'de',
  'name',
  'EUR',
  '2026-11-22',
  '09:00',
  'ada@example.com',
  '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n',
  'x-name',
  'data:image/png;base64,AAAA',
];

/**
 * Instances of a schema that are as large as `bytes` of JSON and the schema's own bounds allow: one for every branch of
 * its unions. Throws for a string that it cannot make, so that a new kind of field is noticed.
 */
export function largestInstances(schema: Schema, known: Known, bytes: number): unknown[] {
  const root = schema;
  const choices = unionsOf(schema, root);
  const most = Math.max(1, ...choices.map(({ branches }) => branches));
  return Array.from({ length: most }, (_, branch) => {
    const builder = new Builder(root, known, branch);
    return builder.build(schema, bytes);
  });
}

function unionsOf(schema: Schema, root: Schema, seen = new Set<Schema>()): { branches: number }[] {
  const target = resolved(schema, root);
  if (seen.has(target)) return [];
  seen.add(target);
  const branches = target.anyOf ?? target.oneOf ?? [];
  const inside = [
    ...branches,
    ...Object.values(target.properties ?? {}),
    ...(target.items ? [target.items] : []),
  ];
  return [
    ...(branches.length > 0 ? [{ branches: branches.length }] : []),
    ...inside.flatMap((each) => unionsOf(each, root, seen)),
  ];
}

function resolved(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  if (schema.$ref === '#') return root;
  const name = schema.$ref.replace('#/$defs/', '');
  const target = root.$defs?.[name];
  if (!target) throw new Error(`No schema at ${schema.$ref}`);
  return target;
}

class Builder {
  readonly #root: Schema;
  readonly #known: Known;
  readonly #branch: number;

  constructor(root: Schema, known: Known, branch: number) {
    this.#root = root;
    this.#known = known;
    this.#branch = branch;
  }

  build(schema: Schema, bytes: number, name = '', depth = 0): unknown {
    const target = resolved(schema, this.#root);
    if (depth === 1 && Object.hasOwn(this.#known, name)) return this.#known[name];
    if (Object.hasOwn(shaped, name)) return shaped[name];
    if (target.const !== undefined) return target.const;
    if (target.enum) return target.enum[this.#branch % target.enum.length];
    const branches = target.anyOf ?? target.oneOf;
    if (branches) return this.build(branches[this.#branch % branches.length]!, bytes, name, depth);
    const types = [target.type ?? []].flat();
    switch (types[this.#branch % types.length]) {
      case 'object':
        return this.#object(target, bytes, depth);
      case 'array':
        return this.#array(target, bytes, name, depth);
      case 'string':
        return text(target, bytes, name);
      case 'integer':
      case 'number':
        return Math.min(target.maximum ?? 1e15, Number.MAX_SAFE_INTEGER);
      case 'boolean':
        return this.#branch % 2 === 0;
      case 'null':
        return null;
      default:
        return wide(Math.min(bytes, (target['x-maxBytes'] ?? bytes) - 16));
    }
  }

  #object(schema: Schema, bytes: number, depth: number): unknown {
    const properties = Object.entries(schema.properties ?? {});
    const result: Record<string, unknown> = {};
    let left = bytes - 2;
    for (const [index, [name, property]] of properties.entries()) {
      const share = Math.floor(left / (properties.length - index)) - name.length - 4;
      result[name] = this.build(property, Math.max(share, 8), name, depth + 1);
      left -= JSON.stringify(result[name] ?? null).length + name.length + 4;
    }
    const open = schema.additionalProperties;
    if (open === undefined || open === false || left < 64 || depth > 6) return result;
    const keys = schema.propertyNames;
    if (keys?.pattern !== undefined) {
      const key = text(keys, 32, '');
      return { ...result, [key]: this.build(open === true ? {} : open, left - 64, '', depth + 1) };
    }
    if (open === true || Object.keys(open).length === 0) return { ...result, ...wide(left) };
    return { ...result, more: this.build(open, left - 16, '', depth + 1) };
  }

  #array(schema: Schema, bytes: number, name: string, depth: number): unknown[] {
    const { items = {}, minItems = 0, maxItems = 1_000 } = schema;
    if (depth > 8) return [];
    const count = Math.max(minItems, Math.min(maxItems, Math.floor(bytes / 16)));
    const share = Math.floor(bytes / Math.max(count, 1)) - 1;
    return Array.from({ length: count }, (_, index) => {
      const item = this.build(items, Math.max(share, 8), name, depth + 1);
      return distinct(item, index);
    });
  }
}

/** Lists refuse two entries of one name. */
function distinct(item: unknown, index: number): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const entries = Object.entries(item).map(([name, value]) => {
    if (typeof value !== 'string' || !['id', 'name', 'requestId', 'callId'].includes(name))
      return [name, value];
    const suffix = String(index);
    return [name, value.slice(0, Math.max(value.length - suffix.length, 1)) + suffix];
  });
  return Object.fromEntries(entries) as unknown;
}

function text(
  { minLength = 0, maxLength = 1_000, pattern, format }: Schema,
  bytes: number,
  name: string,
): string {
  const length = Math.max(minLength, Math.min(maxLength, bytes - 2));
  if (format === 'date') return '2026-11-22';
  if (format === 'date-time') return '2026-11-22T00:00:00.000Z';
  if (format === 'uri') return 'https://example.com/';
  const fits = (candidate: string) => pattern === undefined || new RegExp(pattern, 'u').test(candidate);
  const run = 'x'.repeat(Math.max(length, 0));
  if (fits(run)) return run;
  // Of one pixel, as its header says.
  const picture = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB'.padEnd(length, 'A');
  if (fits(picture)) return picture;
  const example = examples.find((candidate) => candidate.length <= maxLength && fits(candidate));
  if (example === undefined) throw new Error(`No example of a string like ${pattern} (${name}).`);
  return example;
}

/** An object of as many entries as the bytes allow: what a schema without a shape takes. */
function wide(bytes: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (let used = 2, index = 0; used + 16 < bytes; index += 1) {
    const key = `k${index}`;
    result[key] = [index];
    used += key.length + String(index).length + 6;
  }
  return result;
}
