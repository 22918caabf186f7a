/** Where the panel is, relative to the service's base address. Filled in by the build. */
declare const PANEL: string;

declare module '*.css?inline' {
  const css: string;
  export default css;
}
