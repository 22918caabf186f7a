import { isStoredFile } from '@parley/protocol/file-part';
import type { UserPart } from '@parley/protocol/user-message';
import type { ResolvedPart } from '../../session/message-files.ts';
import type { Store } from '../../store/store.ts';
import type { KeyPrincipal } from '../../auth/principal.ts';
import { noSuchFile } from '../rejection-problem.ts';

/**
 * The parts of a message, its uploaded files with their size, name and type. A 400 when a file is not the principal's.
 * Whether it was named before is judged by the acceptance, which knows a repeated request.
 */
export function resolveFiles(
  store: Store,
  { owner, visitor }: KeyPrincipal,
  parts: readonly UserPart[],
): Promise<ResolvedPart[]> {
  return Promise.all(
    parts.map(async (part): Promise<ResolvedPart> => {
      if (!isStoredFile(part)) return part;
      const file = await store.files.get(part.data.fileId);
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
