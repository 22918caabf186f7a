/** What deals with files, which most conversations have none of. It is loaded when there are some. */
export { addFiles } from './add-files.ts';
export { editUnsent } from './edit-unsent.ts';
export { fetchFiles } from './fetch-files.ts';
export { keepDraft } from './keep-draft.ts';
export { sendFiles } from './send-files.ts';
