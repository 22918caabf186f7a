import type { Plugin } from 'vite';

const importing = /\bimport\((["'`])\.\/([^"'`/]+)\.js\1\)/g;

/**
 * What a chunk imports later is fetched before: until 2026 browsers have kept a module that did not come as one that
 * never will (https://github.com/whatwg/html/pull/10327), for whatever imports it. From the browser's cache it comes. A
 * pinned loader, which knows every hash, has its turn in between.
 */
export const laterImports: Plugin = {
  name: 'later-imports',
  renderChunk(code, { fileName }, _options, { chunks }) {
    const isPanel = fileName.startsWith('assets/panel-');
    if (!isPanel && code.search(importing) === -1) return null;
    const panel = Object.keys(chunks).find((name) => name.startsWith('assets/panel-'))!;
    const named = (name: string) => name.slice('assets/'.length, -'.js'.length);
    const needed = (name: string): string[] =>
      name === panel ? [] : [name, ...chunks[name]!.imports.flatMap(needed)];
    // Until every chunk is there, a hash in a name is a placeholder of the bundler's.
    const asked = code.replaceAll(importing, (_call, _quote, name: string) => {
      const [own, ...others] = new Set(needed(`assets/${name}.js`).map(named));
      // In the same order wherever they are wanted, which is compressed best.
      return `importLater(${[own, ...others.toSorted()].map((each) => JSON.stringify(each)).join(', ')})`;
    });
    if (!isPanel) return `import { importLater } from "./${named(panel)}.js";\n${asked}`;
    return `${asked}
const fetched = {};
async function fetchModule(name) {
  try {
    const answer = await ownFetch(new OwnURL("./" + name + ".js", import.meta.url));
    await answer.text();
    if (!answer.ok) throw Error(name);
  } catch (error) {
    delete fetched[name];
    throw error;
  }
}
async function importLater(...names) {
  await OwnPromise.all(names.map((name) => (fetched[name] ??= fetchModule(name))));
  await globalThis.parley?.verify?.("assets/" + names[0] + ".js");
  return import("./" + names[0] + ".js");
}
export { importLater };`;
  },
};
