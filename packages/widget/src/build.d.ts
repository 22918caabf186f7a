/** Where the panel is, relative to the service's base address. Filled in by the build. */
declare const PANEL: string;
/** Where what judges calls of a page without the panel is, likewise. */
declare const JUDGE: string;
/** In a pinned loader: what these two hash to, and the module with the hashes of all that the panel can load. */
declare const PINNED:
  | { panelHash: string; judgeHash: string; hashes: string; hashesHash: string }
  | undefined;
declare const VERSION: string;

/** A language's words, a line each, in the order of the English ones. */
declare module '*?words' {
  const words: string;
  export default words;
}

declare module '*.css?inline' {
  const css: string;
  export default css;
}
