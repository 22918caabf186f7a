import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './common.ts';
import { writeTypes } from './package.ts';

const consumer = join(import.meta.dirname, 'consumer');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-consumer-'));
  await writeTypes(join(folder, 'widget'));
});

afterAll(() => rm(folder, { recursive: true }));

test.each(await readdir(consumer))(
  'a page that uses the package is checked against its types: %s',
  async (page) => {
    const installed = (name: string) => [join(root, 'node_modules', name)];
    const project = join(folder, `${page}.json`);
    await writeFile(
      project,
      JSON.stringify({
        compilerOptions: {
          strict: true,
          exactOptionalPropertyTypes: true,
          noEmit: true,
          target: 'es2022',
          module: 'esnext',
          moduleResolution: 'bundler',
          lib: ['es2024', 'dom'],
          jsx: 'react-jsx',
          types: [],
          paths: {
            '@parley/widget': [join(folder, 'widget/entries/index.d.ts')],
            '@parley/widget/*': [join(folder, 'widget/entries/*.d.ts')],
            react: installed('@types/react'),
            'react/*': installed('@types/react/*'),
            preact: installed('preact'),
            'preact/*': installed('preact/*'),
          },
        },
        files: [join(consumer, page)],
      }),
    );
    const compiler = join(root, '../../node_modules/typescript/bin/tsc');
    const checked = promisify(execFile)(process.execPath, [compiler, '-p', project]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(await checked).toBe('');
  },
);
