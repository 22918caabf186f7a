import type { FileStorage } from '@parley/conversation';
import { type Attachments, loadAttachments } from '../attachments/load-attachments.ts';

/** For what nobody waits for, and nobody misses if it cannot be done. */
const withAttachments = (act: (attachments: Attachments) => Promise<void>) =>
  loadAttachments()
    .then(act)
    .catch(() => {});

/** In the browser's database, by code that comes when there are files. */
export const storedFiles: FileStorage = {
  keep: (key, files) => withAttachments(({ keepFiles }) => keepFiles(key, files)),
  remove: (key) => withAttachments(({ forgetFiles }) => forgetFiles(key)),
  read: async (key) => (await loadAttachments()).keptFiles(key),
};
