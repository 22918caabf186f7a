import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
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
      license: { fileName: 'licenses.md' },
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
  const conversation = join(root, '../conversation/src');
  const door = await readFile(join(conversation, 'conversation.ts'), 'utf8');
  /** Of the conversation a page is told the types that its own calls take; their files have nothing else. */
  const withConversation = async (text: string): Promise<string> => {
    let own = text;
    for (const [all, verb, names] of text.matchAll(
      /(import|export) type \{ ([^}]+) \} from '@parley\/conversation';/g,
    )) {
      const lines = await Promise.all(
        names!.split(', ').map(async (named) => {
          const [name] = named.split(' ');
          const declared = new RegExp(`{ ${name} } from './([^']+)[.]ts'`).exec(door)![1]!;
          const copy = `conversation/${basename(declared)}`;
          await mkdir(join(folder, 'conversation'), { recursive: true });
          await copyFile(join(conversation, `${declared}.ts`), join(folder, `${copy}.d.ts`));
          return `${verb} type { ${named} } from '../${copy}.js';`;
        }),
      );
      own = own.replace(all, () => lines.join('\n'));
    }
    return own;
  };
  const wanted = Object.keys(entries).map((name) => `entries/${name}.d.ts`);
  const written = new Set<string>();
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (written.has(name)) continue;
    written.add(name);
    const text = await readFile(join(declarations, name), 'utf8');
    for (const [, path] of text.matchAll(/(?:from|import) '(\.[^']+)\.[jt]sx?'/g))
      wanted.push(join(dirname(name), `${path}.d.ts`));
    await mkdir(dirname(join(folder, name)), { recursive: true });
    const own = text.replaceAll(/((?:from|import) '\.[^']+)\.tsx?'/g, "$1.js'");
    await writeFile(join(folder, name), await withConversation(own));
  }
  await rm(made, { recursive: true });
}
