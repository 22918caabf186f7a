import { randomBytes } from 'node:crypto';
import type { FileStore, NewFile } from '../store/file-store.ts';
import type { Limited, Quota } from '../store/limit-store.ts';

/** How long a file waits for the message that names it. */
const unusedFileMs = 3_600_000;

export interface FileOwner {
  readonly tenantId: string;
  readonly agentId: string;
  readonly visitor: string | null;
}

/** The quotas that a stored file counts against: once as a file, and with every byte. */
export interface FileQuotas {
  readonly uploads: readonly Quota[];
  readonly bytes: readonly Omit<Quota, 'amount'>[];
}

export interface FileDescription extends Pick<NewFile, 'mediaType' | 'filename'>, FileOwner {
  readonly quotas: FileQuotas;
}

export type StoredFile =
  | { outcome: 'stored'; fileId: string; size: number; expiresAt: number }
  | Limited
  | { outcome: 'missing' };

/**
 * Stores a file chunk by chunk as its bytes come: `fileChunkBytes` each, the last as long as it is. When it does not
 * get whole, for whatever reason, nothing of it stays. `missing`: it was still coming when its time was over.
 */
export async function storeFile(
  files: FileStore,
  { mediaType, filename, tenantId, agentId, visitor, quotas }: FileDescription,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StoredFile> {
  const fileId = `file_${randomBytes(24).toString('base64url')}`;
  const file = { id: fileId, mediaType, filename, tenantId, agentId, visitor };
  const bytesCounted = (amount: number) => quotas.bytes.map((quota) => ({ ...quota, amount }));
  const begun = await files.begin(file, {
    quotas: [...quotas.uploads, ...bytesCounted(0)],
    ttlMs: unusedFileMs,
  });
  if (begun.outcome === 'limited') return begun;
  let whole = false;
  try {
    let size = 0;
    for await (const chunk of chunks) {
      const appended = await files.append(fileId, chunk, {
        quotas: bytesCounted(chunk.length),
      });
      if (appended.outcome !== 'appended') return appended;
      size += chunk.length;
    }
    const expiresAt = await files.complete(fileId, { ttlMs: unusedFileMs });
    whole = expiresAt !== null;
    return expiresAt === null ? { outcome: 'missing' } : { outcome: 'stored', fileId, size, expiresAt };
  } finally {
    if (!whole) await files.discard([fileId]);
  }
}
