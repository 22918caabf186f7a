/** What the parts of an answer that are no text are shown with, for the cards. */
export { default as partsCss } from '../parts/parts.css?inline';
export { Form } from '../parts/question/form.tsx';
export { Part } from '../parts/part.tsx';
export { showsWork } from '../thread/shows-work.ts';
