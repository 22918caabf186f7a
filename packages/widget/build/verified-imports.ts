import type { Plugin } from 'vite';

/** Gives a pinned loader, which knows every hash, its turn right before a chunk of the panel is imported. */
export const verifiedImports: Plugin = {
  name: 'verified-imports',
  renderChunk: (code) =>
    // Until every chunk is there, a hash in a name is a placeholder of the bundler's.
    code.replaceAll(
      /\bimport\((["'`])\.\/([^"'`/]+)\.js\1\)/g,
      (imported, _, name: string) => `(globalThis.parley?.verify?.("assets/${name}.js"),${imported})`,
    ),
};
