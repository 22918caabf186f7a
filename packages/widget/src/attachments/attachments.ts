/** Everything to show files with, and where they are kept, which most conversations have none of. */
export { Chips } from './chips.tsx';
export { DropHint } from './drop-hint.tsx';
export { FileList } from './file-list.tsx';
export { forgetFiles, keepFiles, keptFiles } from './kept-files.ts';
export { problemText } from './problem-text.ts';
export { sayProblem } from './say-problem.ts';
