/** What is loaded beside the panel, first: what it takes to read an answer. */
export { default as css } from '../parts/markdown/markdown.css?inline';
export { TurnView } from '../thread/turn-view.tsx';
