import { partsCss } from './parts.ts';
import { shellCss } from './shell.ts';
import { textCss } from './text.ts';
import { threadCss } from './thread.ts';

/** What is loaded after the panel and what it takes to read an answer: all else that a conversation shows and can do. */
export const css = shellCss + textCss + partsCss + threadCss;
export * from './parts.ts';
export * from './shell.ts';
export * from './text.ts';
export * from './thread.ts';
export { cardLabels } from '../i18n/card-labels.ts';
