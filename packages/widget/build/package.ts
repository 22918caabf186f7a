import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { common, output, root } from './common.ts';
import { customElements } from './custom-elements.ts';
import { jsxFactory } from './jsx-factory.ts';
import { ownGlobals } from './own-globals.ts';
import { words } from './words.ts';

const entries = {
  index: 'src/entries/index.ts',
  element: 'src/entries/element.ts',
  react: 'src/entries/react.ts',
  preact: 'src/entries/preact.ts',
  server: 'src/entries/server.ts',
};

/** What the npm package exports: ES modules without dependencies, and their types. */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await build({
    ...common,
    plugins: [jsxFactory, words],
    build: {
      ...output(folder),
      minify: true,
      lib: {
        entry: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
        formats: ['es'],
      },
      rolldownOptions: {
        transform: { inject: ownGlobals },
        external: [/^react($|\/)/],
        // The directive stays where it is wanted: at the top of the entry for React, as a test looks.
        onLog: (level, log, handle) =>
          log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log),
        output: { minify: true, chunkFileNames: '[name]-[hash].js', entryFileNames: '[name].js' },
      },
    },
  });
  await writeTypes(folder);
  await writeFile(join(folder, 'custom-elements.json'), `${JSON.stringify(customElements, null, 2)}\n`);
}

/** The declarations of the entries and of what they name; the rest of the source stays at home. */
export async function writeTypes(folder: string): Promise<void> {
  const made = await mkdtemp(join(tmpdir(), 'parley-types-'));
  const compiler = join(root, '../../node_modules/typescript/bin/tsc');
  const options = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--outDir', made];
  await promisify(execFile)(process.execPath, [
    compiler,
    '-p',
    root,
    '--rootDir',
    join(root, '..'),
    ...options,
  ]);
  const declarations = join(made, 'widget/src');
  const wanted = Object.keys(entries).map((name) => `entries/${name}.d.ts`);
  const written = new Set<string>();
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (written.has(name)) continue;
    written.add(name);
    const text = await readFile(join(declarations, name), 'utf8');
    for (const [, path] of text.matchAll(/(?:from|import) '(\.[^']+)\.[jt]sx?'/g))
      wanted.push(join(dirname(name), `${path}.d.ts`));
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text.replaceAll(/((?:from|import) '\.[^']+)\.tsx?'/g, "$1.js'"));
  }
  await rm(made, { recursive: true });
}
