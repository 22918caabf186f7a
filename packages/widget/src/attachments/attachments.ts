/** Everything for files, which most conversations have none of. */
export { addFiles } from './add-files.ts';
export { Chips } from './chips.tsx';
export { DropHint } from './drop-hint.tsx';
export { fetchFiles } from './fetch-files.ts';
export { FileList } from './file-list.tsx';
export { keepDraft } from './keep-draft.ts';
export { forgetFiles, keepFiles, keptFiles } from './kept-files.ts';
export { problemText } from './problem-text.ts';
export { sendFiles } from './send-files.ts';
export { takeBack } from './take-back.ts';
