import type { SourceView } from '@parley/protocol/settings/source';
import { ApiError, sentenceOf } from '../api/api-error.ts';
import { upload } from '../api/call.ts';

/** As the service has it: a browser would be cut off in the middle of more, and could not say why. */
export const maxFileBytes = 20 * 1_024 * 1_024;

/** Adds a file to what an agent answers from. A sentence says why it was not added. */
export async function addFile(agentId: string, file: File): Promise<SourceView | string> {
  if (file.size > maxFileBytes) return 'The file is larger than 20 MB. Send it in parts.';
  const query = new URLSearchParams({ agentId, filename: file.name.slice(-255) });
  try {
    return await upload<SourceView>(`/source-files?${query.toString()}`, file);
  } catch (error) {
    if (!(error instanceof ApiError))
      return 'It did not arrive. Check the connection, and that the file is still where it was.';
    if (error.hasSessionEnded) return 'Your session had ended. Choose it again.';
    return error.fields['file'] ?? sentenceOf(error);
  }
}
