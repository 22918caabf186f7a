import type { Connection } from '@parley/client/connection';
import { ParleyError } from '@parley/client/error';
import type { MessageInputPart } from '@parley/client/session';
import { createTalk, type Talk } from '@parley/client/talk';
import type { Problem, Violation } from '@parley/protocol/problem';
import type { SavedMessage } from '../chat/conversation-store.ts';
import { keptFiles } from './kept-files.ts';

/** The files of a message from before a reload could not be kept. */
export class FilesLost extends ParleyError {}

/** The service does not take these files. */
export class FilesRefused extends ParleyError {
  readonly violations: readonly Violation[];

  constructor(error: ParleyError, violations: readonly Violation[]) {
    super(error.code, error.message, error);
    this.violations = violations;
  }
}

/** Sends a message with the bytes of its files, the same each time it is tried. */
export async function sendFiles(
  connection: Connection,
  message: SavedMessage,
  send: (talk: Talk, parts: readonly MessageInputPart[]) => Promise<unknown>,
): Promise<void> {
  const files = await keptFiles(message);
  if (!files) throw new FilesLost('BAD_REQUEST', 'The files of this message could not be kept.');
  const data = await Promise.all(files.map(readBase64));
  let next = 0;
  const parts = message.parts!.map((part): MessageInputPart => {
    if (part.type === 'text') return part;
    const { mediaType, filename } = part;
    return { type: 'file', mediaType, data: data[next++]!, ...(filename && { filename }) };
  });

  let violations: readonly Violation[] = [];
  const talk = createTalk({
    ...connection,
    async fetch(...request) {
      const response = await (connection.fetch ?? fetch)(...request);
      const problem: Partial<Problem> | null =
        response.status === 413 || response.status === 415
          ? await response
              .clone()
              .json()
              .catch(() => null)
          : null;
      violations = problem?.violations ?? [];
      return response;
    },
  });
  try {
    await send(talk, parts);
  } catch (error) {
    throw error instanceof ParleyError ? new FilesRefused(error, violations) : error;
  }
}

function readBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^.*,/, ''));
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(file);
  });
}
