/** Where the panel is, relative to the service's base address. Filled in by the build. */
declare const PANEL: string;
/** In a pinned loader: what the panel hashes to, and the module with the hashes of all that the panel can load. */
declare const PINNED: { panelHash: string; hashes: string; hashesHash: string } | undefined;
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
