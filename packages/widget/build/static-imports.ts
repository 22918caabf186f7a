import type { Plugin } from 'vite';

/** Learns in a build what a module imports before it runs, however far away: what has to be in one request with it. */
export function staticImports(entry: string) {
  const imports = new Map<string, readonly string[]>();
  const reached = new Set<string>();
  const reach = (id: string) => {
    if (reached.has(id)) return;
    reached.add(id);
    for (const each of imports.get(id) ?? []) reach(each);
  };
  const plugin: Plugin = {
    name: 'static-imports',
    moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds),
    buildEnd: () => reach(entry),
  };
  return { plugin, includes: (id: string) => reached.has(id) };
}
