import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Of every file, the files of its package that it names: as values, as types, and what it loads later. */
async function readImports(source: string): Promise<Map<string, string[]>> {
  const files = await readdir(join(root, source), { recursive: true });
  const code = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  const imports = await Promise.all(
    code.map(async (file) => {
      const text = await readFile(join(root, source, file), 'utf8');
      const named = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^'?]+\.tsx?)'/g)];
      return [file, named.map(([, path]) => join(dirname(file), path!))] as const;
    }),
  );
  return new Map(imports);
}

/** A way from a file back to itself, if there is one. */
function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const next of imports.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const file of imports.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return null;
}

test.each([
  'packages/protocol/src',
  'packages/client/src',
  'packages/conversation/src',
  'packages/widget/src',
  'apps/server/src',
  'apps/console/src',
  'apps/demo/src',
])('%s imports nothing in a circle', async (source) => {
  const imports = await readImports(source);
  const known = [...imports.values()].flat();
  expect(known.length).toBeGreaterThan(15);
  for (const path of known) expect(imports.has(path), relative(root, path)).toBe(true);
  expect(findCycle(imports)).toBeNull();
});

test('a circle is found, however long', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', []],
    ['d', ['b']],
  ]);
  expect(findCycle(imports)).toEqual(['b', 'd', 'b']);
});
