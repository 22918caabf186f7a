import type { Plugin } from 'vite';

const imported = "import { createElement as createVNode, Fragment as Fragments } from 'preact';";

/** Gives each file with JSX what its elements are made with. */
export const jsxFactory: Plugin = {
  name: 'jsx-factory',
  enforce: 'pre',
  transform: { filter: { id: /\.tsx$/ }, handler: (code) => `${imported}${code}` },
};
