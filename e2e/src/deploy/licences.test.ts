import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const permissive = /^(?:MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause)$/;
/** Builds and tests with these, and ships nothing of them. */
const tools = /^(?:@parley\/|@types\/|vite|vitest|terser|commonmark-spec|react$)/;

test.each([
  ['packages/widget/dist/assets/licenses.md', 'packages/widget'],
  ['packages/widget/dist/npm/licenses.md', 'packages/widget'],
  ['apps/console/dist/assets/licenses.md', 'apps/console'],
])('%s names what ships, with licences that allow it', (path, folder) => {
  const sections = read(path).split(/^## /m).slice(1);
  const named = sections.map((section) => /^(\S+) - \S+ \((.+)\)\n/.exec(section) ?? [section]);
  for (const [section, , licence] of named) expect(licence, section).toMatch(permissive);
  for (const section of sections) expect(section).toMatch(/copyright/i);
  const manifest = JSON.parse(read(`${folder}/package.json`)) as { devDependencies: Record<string, string> };
  const shipped = Object.keys(manifest.devDependencies).filter((name) => !tools.test(name));
  expect(shipped.length).toBeGreaterThan(0);
  expect(named.map(([, name]) => name)).toEqual(expect.arrayContaining(shipped));
});
