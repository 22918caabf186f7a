import { filenameHeader, filePatterns } from '@parley/protocol/file-paths';
import { defaultPlatform } from '@parley/protocol/paths';
import { type Connection, readObject, requestOnce, type RequestOptions } from './connection.ts';
import { unexpectedAnswer } from './error.ts';

export type FileInput = { content: Blob; mediaType: string; filename?: string | undefined };

/**
 * Stores a file and resolves with its id, for one message to name within an hour. Repeated as a message is when the
 * network fails; a copy that was stored unheard goes by itself.
 */
export function uploadFile(
  connection: Connection,
  { content, mediaType, filename }: FileInput,
  options?: RequestOptions,
): Promise<string> {
  const { platform = defaultPlatform } = connection;
  const headers = {
    'content-type': mediaType,
    ...(filename && { [filenameHeader(platform)]: encodeURIComponent(filename.toWellFormed()) }),
  };
  return requestOnce(
    connection,
    filePatterns(platform).upload,
    { content, headers, ...options },
    async (response) => {
      const { fileId } = await readObject(response, options?.signal);
      if (typeof fileId !== 'string') throw unexpectedAnswer();
      return fileId;
    },
  );
}
