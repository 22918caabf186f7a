import { isStoredFile } from '@parley/protocol/file-part';
import type { UserPart } from '@parley/protocol/user-message';
import type { ResolvedPart } from '../session/message-files.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from './caller.ts';
import { noSuchFile } from './refusal.ts';

/**
 * What the uploaded files that a message names are. A 400 when one is not the caller's; whether it was named before is
 * for the acceptance to say, which knows a repeated request.
 */
export function resolveFiles(
  store: Store,
  { owner, visitor }: Caller,
  parts: readonly UserPart[],
): Promise<ResolvedPart[]> {
  return Promise.all(
    parts.map(async (part): Promise<ResolvedPart> => {
      if (!isStoredFile(part)) return part;
      const file = await store.files.get(part.data.fileId, Date.now());
      const own =
        file?.tenantId === owner.tenantId && file.agentId === owner.agentId && file.visitor === visitor;
      if (!file || !own) throw noSuchFile();
      const { id: fileId, mediaType, filename, size } = file;
      return {
        type: 'file',
        mediaType,
        ...(filename !== null && { filename }),
        data: { kind: 'stored', fileId, size },
      };
    }),
  );
}
