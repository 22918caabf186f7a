/** Builds the pages that use the widget as a package: `pnpm --filter @parley/demo build`, after the widget. */
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '../apps');

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  base: '/apps/',
  html: { cspNonce: '{{nonce}}' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    outDir: join(root, '../dist'),
    emptyOutDir: true,
    modulePreload: false,
    rolldownOptions: {
      // "use client" says nothing to a page that no server renders.
      onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
      input: Object.fromEntries(['vite', 'react', 'frame'].map((name) => [name, join(root, `${name}.html`)])),
    },
  },
});
