import type { Plugin } from 'vite';

const importing = /\bimport\((["'`])\.\/([^"'`/]+)\.js\1\)/g;

/** Gives a pinned loader, which knows every hash, its turn right before a chunk of the panel is imported. */
export const verifiedImports: Plugin = {
  name: 'verified-imports',
  renderChunk(code) {
    if (code.search(importing) === -1) return null;
    // Until every chunk is there, a hash in a name is a placeholder of the bundler's.
    const asked = code.replaceAll(importing, 'importVerified("$2")');
    return `${asked}
function importVerified(name) {
  globalThis.parley?.verify?.("assets/" + name + ".js");
  return import("./" + name + ".js");
}`;
  },
};
