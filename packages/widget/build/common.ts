import { join } from 'node:path';
import type { InlineConfig } from 'vite';

// Whoever builds, what is built is for production.
process.env.NODE_ENV = 'production';

export const root = join(import.meta.dirname, '..');

export const common = {
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  // Smaller than calls of the JSX runtime, which is then not needed itself.
  oxc: { jsx: { runtime: 'classic', pragma: 'createVNode', pragmaFrag: 'Fragments' } },
} satisfies InlineConfig;

export const output = (outDir: string) =>
  ({
    outDir,
    emptyOutDir: false,
    target: ['chrome123', 'safari17.5', 'firefox121'],
    modulePreload: false,
  }) satisfies InlineConfig['build'];
