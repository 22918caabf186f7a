import type { Connection } from '@parley/client/connection';
import { ParleyError } from '@parley/client/error';
import type { MessageInputPart } from '@parley/client/session-input';
import { uploadFile } from '@parley/client/upload-file';
import type { Problem, Violation } from '@parley/protocol/problem';
import type { StoredMessage } from '../storage/conversation-storage.ts';
import { FilesLost, FilesRefused } from './files-error.ts';
import type { FileStorage } from './file-storage.ts';

/**
 * Uploads the files of a message and sends it with their ids, the same each time it is tried: `keep` has them kept with
 * the message. They are uploaded anew when the service has them no more.
 */
export async function sendFiles(
  connection: Connection & { fetch: typeof fetch },
  storage: FileStorage,
  message: StoredMessage,
  send: (to: Connection, parts: readonly MessageInputPart[]) => Promise<unknown>,
  keep: (fileIds: readonly string[]) => void,
): Promise<void> {
  const files = await storage.read(message);
  if (!files) throw new FilesLost('BAD_REQUEST', 'The files of this message could not be kept.');

  const violations: Violation[] = [];
  const own = {
    ...connection,
    async fetch(...request: Parameters<typeof fetch>) {
      const response = await connection.fetch(...request);
      if (!response.ok) {
        const problem: Partial<Problem> | null = await response
          .clone()
          .json()
          .catch(() => null);
        violations.push(...(problem?.violations ?? []));
      }
      return response;
    },
  };
  const upload = async () => {
    const contents = [...files];
    const uploads = message.parts!.flatMap((part) =>
      part.type === 'text' ? [] : uploadFile(own, { ...part, content: contents.shift()! }),
    );
    // Each is told what the service does not take of it.
    await Promise.allSettled(uploads);
    const fileIds = await Promise.all(uploads);
    keep(fileIds);
    return fileIds;
  };
  const name = (fileIds: readonly string[]) => {
    const ids = [...fileIds];
    return send(
      own,
      message.parts!.map((part) => (part.type === 'text' ? part : { type: 'file', fileId: ids.shift()! })),
    );
  };

  const { fileIds } = message;
  try {
    await name(fileIds ?? (await upload())).catch(async (error: ParleyError) => {
      // The files have expired, or an earlier message has named them.
      if (!fileIds || error.code !== 'BAD_REQUEST') throw error;
      await name(await upload());
    });
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    // Another tab has sent it, with files that it has uploaded itself.
    if (error.code !== 'IDEMPOTENCY_CONFLICT') throw new FilesRefused(error, violations);
  }
}
