import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './common.ts';

// A page may have registered a custom property of any other name, with a syntax and an initial value of its own, which
// then are those of the widget's, too.
test('every custom property of the widget has its prefix', () => {
  const source = join(root, 'src');
  const named = globSync('**/*.{css,ts,tsx}', { cwd: source }).flatMap((name) => {
    const text = readFileSync(join(source, name), 'utf8');
    const property = name.endsWith('.css') ? /(?<![\w-])--[a-z][\w-]*/g : /(?<=['"`])--[a-z][\w-]*/g;
    return text.match(property) ?? [];
  });
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((each) => !each.startsWith('--parley-'))).toEqual([]);
});
