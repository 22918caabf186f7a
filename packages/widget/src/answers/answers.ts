/** What is loaded beside the panel, first: what it takes to read an answer. */
export { default as css } from '../markdown/markdown.css?inline';
export { TurnView } from './turn-view.tsx';
