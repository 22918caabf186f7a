import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, 'pages');

/** Bundles the peers' pages into `folder`, minified and for production. */
export async function buildPages(folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      target: 'esnext',
      modulePreload: false,
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        input: { 'assistant-ui': join(root, 'assistant-ui.ts'), 'deep-chat': join(root, 'deep-chat.ts') },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  await copyFile(join(root, 'page.css'), join(folder, 'page.css'));
}
