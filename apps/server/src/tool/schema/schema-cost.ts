/** Keywords whose target is only known while validating, so that nothing bounds the work. */
const UNBOUNDED = new Set(['$dynamicRef', '$recursiveRef', '$dynamicAnchor', '$recursiveAnchor']);

/** What a `$ref` points to. Throws when that is outside of the schema, or nothing. */
export function schemaPointer(root: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/'))
    throw new Error(`$ref ${reference} does not point into the schema`);
  let at: unknown = root;
  for (const part of reference.slice(2).split('/').filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key))
      throw new Error(`$ref ${reference} points to nothing`);
    at = Reflect.get(at, key);
  }
  return at;
}

/** Levels of schemas in one another, references followed: a check calls itself for each. */
const maxDepth = 256;

interface Cost {
  readonly nodes: number;
  readonly depth: number;
  readonly length: number;
}

/**
 * How many schema nodes one value may have to pass through, references followed, and the characters of all these. Chained
 * references double the work with every link, so a schema of a few kilobytes can keep a validator busy for years; this
 * tells before it is used. Takes time linear to the schema. Throws when a reference leads back to itself, out of the
 * schema or too deep.
 */
export function schemaCost(root: unknown): Pick<Cost, 'nodes' | 'length'> {
  const known = new Map<object, Cost>();
  const open = new Set<object>();
  const targets = new Map<string, unknown>();
  const target = (reference: string): unknown => {
    if (!targets.has(reference)) targets.set(reference, schemaPointer(root, reference));
    return targets.get(reference);
  };
  const cost = (node: unknown, above: number): Cost => {
    if (typeof node !== 'object' || node === null)
      return { nodes: 0, depth: 0, length: typeof node === 'string' ? node.length : 4 };
    const seen = known.get(node);
    if (seen !== undefined) return seen;
    if (open.has(node)) throw new Error('a $ref must not lead back to itself');
    if (above > maxDepth) throw new Error(`its references lead deeper than ${maxDepth} levels`);
    let nodes = 1;
    let depth = 1;
    let length = 2;
    open.add(node);
    for (const [key, value] of Object.entries(node)) {
      if (UNBOUNDED.has(key)) throw new Error(`${key} is not supported`);
      const part = cost(key === '$ref' && typeof value === 'string' ? target(value) : value, above + 1);
      nodes += part.nodes;
      length += key.length + part.length;
      depth = Math.max(depth, part.depth + 1);
      if (above + depth > maxDepth) throw new Error(`its references lead deeper than ${maxDepth} levels`);
    }
    open.delete(node);
    const total = { nodes, depth, length };
    known.set(node, total);
    return total;
  };
  return cost(root, 0);
}
