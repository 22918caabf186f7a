/** What stands in an object, by its path: `widget.greeting`. */
export function leavesOf(value: object, path = ''): Record<string, unknown> {
  const leaves: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    if (isObject) Object.assign(leaves, leavesOf(inner, `${path}${name}.`));
    else if (inner !== undefined) leaves[path + name] = inner;
  }
  return leaves;
}
