/** Where the panel is, relative to the service's base address. Filled in by the build. */
declare const PANEL: string;
/** What every module hashes to in a pinned loader. */
declare const INTEGRITY: Record<string, string> | undefined;
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
