import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { rootSizes } from './in-rem.ts';

// Whoever builds, what is built is for production.
process.env['NODE_ENV'] = 'production';

const root = join(import.meta.dirname, '..');
const dist = process.argv[2] ?? join(root, 'dist');

await rm(dist, { recursive: true, force: true });
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  base: '/console/',
  oxc: { jsx: { importSource: 'preact' } },
  css: { postcss: { plugins: [rootSizes] } },
  build: {
    outDir: dist,
    license: { fileName: 'assets/licenses.md' },
    emptyOutDir: true,
    target: ['chrome123', 'safari17.5', 'firefox121'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        postBanner: ({ isEntry }) => (isEntry ? '/*! licenses.md */' : ''),
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});

/** What is served compressed is compressed once, here, at the best ratio. */
for (const name of ['index.html', ...(await readdir(join(dist, 'assets'))).map((each) => `assets/${each}`)]) {
  const content = await readFile(join(dist, name));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(join(dist, `${name}.br`), await promisify(brotliCompress)(content, quality));
  await writeFile(join(dist, `${name}.gz`), await promisify(gzip)(content, { level: 9 }));
}
