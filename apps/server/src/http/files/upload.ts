import { maxFilenameLength, maxMediaTypeLength } from '@parley/protocol/bounds';
import { filenameHeader } from '@parley/protocol/file-paths';
import type { FileUploaded } from '@parley/protocol/file-part';
import { mediaTypeFault } from '@parley/protocol/media-type';
import { isLongerThan } from '@parley/protocol/text';
import type { Request } from 'express';
import { storeFile } from '../../session/store-file.ts';
import type { Store } from '../../store/store.ts';
import type { Handler, Handlers } from '../handlers.ts';
import { fileContext } from './file-context.ts';
import { enforceFilePolicy } from './file-policy.ts';
import { ProblemError } from '../problem.ts';
import { quotaExceeded } from '../rejection-problem.ts';
import { uploadBody } from '../body/upload-body.ts';

interface UploadHandlersDeps {
  readonly store: Store;
  readonly platform: string;
}

/** The body is one file, for a message to name. */
export function uploadHandlers({ store, platform }: UploadHandlersDeps): Handlers<'uploadFile'> {
  const uploadFile: Handler<'uploadFile'> = async ({ request, response, principal }) => {
    const mediaType = mediaTypeOf(request);
    const filename = filenameOf(request, platform);
    const reject = (size: number) =>
      enforceFilePolicy(
        [{ type: 'file', mediaType, ...(filename !== null && { filename }), data: { kind: 'stored', size } }],
        principal.agent.settings.files,
      );
    reject(Number(request.headers['content-length'] ?? 0));
    const context = fileContext(principal);
    const stored = await storeFile(
      store.files,
      { ...context, mediaType, filename },
      uploadBody(request, reject),
    );
    if (stored.outcome === 'limited') throw quotaExceeded(stored, principal.key);
    if (stored.outcome === 'missing')
      throw new ProblemError('BAD_REQUEST', 'The file was not sent within an hour.');
    const { fileId, expiresAt } = stored;
    const uploaded: FileUploaded = { fileId, expiresAt: new Date(expiresAt).toISOString() };
    response.status(201).json(uploaded);
  };

  return { uploadFile };
}

function mediaTypeOf(request: Request): string {
  if (request.headers['content-encoding'] !== undefined)
    throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'A compressed body is not accepted.');
  const mediaType = request.headers['content-type']?.trim() ?? '';
  if (mediaTypeFault(mediaType) === null) return mediaType;
  throw new ProblemError(
    'BAD_REQUEST',
    `Expected Content-Type to be the media type of the file, such as application/pdf, at most ${maxMediaTypeLength} characters.`,
  );
}

/** Null when none is given. */
function filenameOf(request: Request, platform: string): string | null {
  const name = filenameHeader(platform);
  const encoded = request.headers[name];
  if (encoded === undefined || encoded === '') return null;
  const filename = decoded(String(encoded));
  if (filename !== null && !isLongerThan(filename, maxFilenameLength) && !/\p{Cc}/u.test(filename))
    return filename;
  throw new ProblemError(
    'BAD_REQUEST',
    `Expected ${name} to be a name in percent-encoded UTF-8, at most ${maxFilenameLength} characters without control characters.`,
  );
}

/** Null for what is no percent-encoded UTF-8. */
function decoded(encoded: string): string | null {
  if (!/^[\x20-\x7e]*$/.test(encoded)) return null;
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
