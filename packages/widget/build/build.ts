import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type InlineConfig } from 'vite';

// Whoever builds, what is built is for production.
process.env.NODE_ENV = 'production';

const root = join(import.meta.dirname, '..');
const dist = process.argv[2] ?? join(root, 'dist');

const common = {
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
} satisfies InlineConfig;

const output = {
  outDir: dist,
  emptyOutDir: false,
  target: ['chrome123', 'safari17.5', 'firefox121'],
  modulePreload: false,
} satisfies InlineConfig['build'];

/** The panel: ES modules named by their content, so that they may be kept for ever. */
async function buildPanel(): Promise<string> {
  await build({
    ...common,
    build: {
      ...output,
      // As a library: nothing is wrapped in helpers that a page does not need.
      lib: { entry: { panel: join(root, 'src/panel/mount.tsx') }, formats: ['es'] },
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: {
          minify: true,
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/[name]-[hash].js',
        },
      },
    },
  });
  const panel = (await readdir(join(dist, 'assets'))).find((name) => name.startsWith('panel-'));
  if (panel === undefined) throw new Error('The build made no panel.');
  return `assets/${panel}`;
}

/** The loader: one classic script with a stable name, which knows where the panel is. */
async function buildLoader(panel: string): Promise<void> {
  await build({
    ...common,
    define: { PANEL: JSON.stringify(panel) },
    build: {
      ...output,
      // As a library, or the import of the panel would be wrapped in a helper that preloads style sheets.
      lib: {
        entry: join(root, 'src/launcher/launcher.ts'),
        formats: ['iife'],
        name: 'parleyLoader',
        fileName: () => 'parley.js',
      },
    },
  });
}

/** What is served compressed is compressed once, here, at the best ratio. */
async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}

await rm(dist, { recursive: true, force: true });
const panel = await buildPanel();
await buildLoader(panel);
await writeFile(join(dist, 'manifest.json'), `${JSON.stringify({ loader: 'parley.js', panel })}\n`);
const assets = (await readdir(join(dist, 'assets'))).map((name) => join(dist, 'assets', name));
await Promise.all([join(dist, 'parley.js'), ...assets].map(compress));
