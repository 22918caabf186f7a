import { type FileKey, longestWait } from '@parley/conversation';

const memory = new Map<string, readonly File[]>();
const loadedAt = Date.now();
/** Until then whoever has let go of files has read them, if they go on with them. */
const sweepAfter = 5_000;
setTimeout(() => void sweep().catch(() => {}), sweepAfter);

/** Keeps the files of a message until it is sent, over reloads too; where storage is blocked as long as the page. */
export async function keepFiles({ id, at }: FileKey, files: readonly File[]): Promise<void> {
  memory.set(id, files);
  await inDatabase('readwrite', (store) => {
    store.delete(IDBKeyRange.upperBound([Date.now() - longestWait]));
    return store.put(files, [at, id]);
  });
}

export const keptFiles = async ({ id, at }: FileKey): Promise<readonly File[] | null> =>
  memory.get(id) ?? (await inDatabase<readonly File[]>('readonly', (store) => store.get([at, id]))) ?? null;

export async function forgetFiles({ id, at }: FileKey): Promise<void> {
  memory.delete(id);
  await inDatabase('readwrite', (store) => store.delete([at, id]));
}

/**
 * A page that is left takes what it was about to remove with it: nothing names those files any more, and nobody would
 * remove them. Conversations note theirs before they are kept.
 */
async function sweep(): Promise<void> {
  const databases = await indexedDB.databases();
  if (databases.every(({ name }) => name !== 'parley')) return;
  const noted = Object.entries(localStorage).flatMap(([name, text]) =>
    name.startsWith('parley:') ? (text as string) : [],
  );
  await inDatabase('readwrite', (store) => {
    const listing = store.getAllKeys(IDBKeyRange.upperBound([loadedAt]));
    listing.onsuccess = () => {
      for (const key of listing.result as [at: number, id: string][])
        if (!noted.some((text) => text.includes(key[1]))) store.delete(key);
    };
    return listing;
  });
}

function inDatabase<Value>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<Value | undefined> {
  return new Promise<Value | undefined>((resolve, reject) => {
    const opening = indexedDB.open('parley');
    opening.onupgradeneeded = () => opening.result.createObjectStore('files');
    opening.onerror = reject;
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction('files', mode);
      const request = act(transaction.objectStore('files')) as IDBRequest<Value>;
      transaction.oncomplete = () => {
        database.close();
        resolve(request.result);
      };
      transaction.onabort = () => {
        database.close();
        reject(transaction.error);
      };
    };
  }).catch(() => undefined);
}
