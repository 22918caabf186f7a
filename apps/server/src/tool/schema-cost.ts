/** Keywords whose target is only known while validating, so that nothing bounds the work. */
const UNBOUNDED = ['$dynamicRef', '$recursiveRef', '$dynamicAnchor', '$recursiveAnchor'] as const;

function pointer(root: unknown, reference: string): unknown {
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

/**
 * How many schema nodes one value may have to pass through, references followed. Chained references double the work with
 * every link, so a schema of a few kilobytes can keep a validator busy for years; this tells before it is compiled.
 * Throws when a reference leads back to itself or out of the schema.
 */
export function schemaCost(root: unknown): number {
  const known = new Map<object, number>();
  const open = new Set<object>();
  const cost = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 0;
    const seen = known.get(node);
    if (seen !== undefined) return seen;
    if (open.has(node)) throw new Error('a $ref must not lead back to itself');
    open.add(node);
    let total = 1;
    for (const [key, value] of Object.entries(node)) {
      if (UNBOUNDED.some((keyword) => keyword === key)) throw new Error(`${key} is not supported`);
      total += key === '$ref' && typeof value === 'string' ? cost(pointer(root, value)) : cost(value);
    }
    open.delete(node);
    known.set(node, total);
    return total;
  };
  return cost(root);
}
