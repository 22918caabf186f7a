type Fields = Readonly<Record<string, unknown>>;

/** Stored fields with a patch over them: absent stays, null goes back to its default, and the named objects are patched inside. */
export function patched(stored: Fields, patch: Fields, inside: readonly string[] = []): Fields {
  const result = new Map(Object.entries(stored));
  for (const [name, value] of Object.entries(patch)) {
    const current = result.get(name);
    if (value === undefined) continue;
    if (value === null) result.delete(name);
    else if (inside.includes(name) && isFields(value))
      result.set(name, patched(isFields(current) ? current : {}, value, inside));
    else result.set(name, value);
  }
  return Object.fromEntries(result);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
