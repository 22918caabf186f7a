import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const files = globSync('{*.md,{apps,packages,e2e}/**/*.{md,ts,tsx,js,html}}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
});

test('nobody is told to take a package of ours from a registry, where it is anybody’s to publish', () => {
  const told = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /\b(?:npm|pnpm|yarn|bun) (?:i|install|add) (?:-\S+ )*@parley\/\S+/g,
      ),
    ].map(([command]) => `${file}: ${command}`),
  );
  expect(told).toEqual([]);
  expect(files.length).toBeGreaterThan(1_000);
});
