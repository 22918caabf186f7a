/** What the files of a message are kept under. */
export type FileKey = { id: string; at: number };

/**
 * Keeps the files of messages until they are sent. What cannot be kept is not there later; `read` alone rejects, where
 * the code that reads them could not be loaded.
 */
export type FileStorage = {
  keep(key: FileKey, files: readonly File[]): Promise<void>;
  read(key: FileKey): Promise<readonly File[] | null>;
  remove(key: FileKey): Promise<void>;
};

/** As long as the page. */
export function createMemoryFiles(): FileStorage {
  const files = new Map<string, readonly File[]>();
  return {
    async keep({ id }, each) {
      files.set(id, each);
    },
    read: async ({ id }) => files.get(id) ?? null,
    async remove({ id }) {
      files.delete(id);
    },
  };
}
