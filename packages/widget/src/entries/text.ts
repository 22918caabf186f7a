/** What of a text an answer can be read without, for the cards. */
export { default as textCss } from '../parts/markdown/rare-blocks.css?inline';
export { Code } from '../parts/code/code.tsx';
export { GrowingText } from '../parts/markdown/growing-text.tsx';
export { Image } from '../parts/markdown/image.tsx';
export { Link } from '../parts/markdown/link.tsx';
export { readInline } from '../parts/markdown/read-inline.ts';
export { Table } from '../parts/markdown/table.tsx';
