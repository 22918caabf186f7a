import type { FilePart } from '@parley/protocol/file-part';
import type { Violation } from '@parley/protocol/problem';
import type { FilesSettings } from '@parley/protocol/settings/files';
import type { TextPart } from '@parley/protocol/user-message';
import { ProblemError } from '../problem.ts';

type FileToJudge = Pick<FilePart, 'type' | 'mediaType' | 'filename'> & {
  data: FilePart['data'] | { readonly kind: 'stored'; readonly size: number };
};

/** Rejects what the agent does not take, by the type a file is said to have; an address counts no bytes. */
export function enforceFilePolicy(
  parts: readonly (TextPart | FileToJudge)[],
  { types, totalBytes }: FilesSettings,
): void {
  const violations: Violation[] = [];
  let total = 0;
  for (const part of parts) {
    if (part.type !== 'file') continue;
    const { mediaType, filename, data } = part;
    const file = { mediaType, ...(filename !== undefined && { filename }) };
    const byteLength = data.kind === 'url' ? 0 : data.kind === 'bytes' ? data.bytes.length : data.size;
    if (!types.some((type) => isOfType(mediaType, type)))
      violations.push({ kind: 'disallowed-media-type', ...file, allowedMediaTypes: types });
    else if (total + byteLength > totalBytes)
      violations.push({ kind: 'too-large', ...file, byteLength, limit: totalBytes });
    else total += byteLength;
  }
  const [first] = violations;
  if (!first) return;
  const code = first.kind === 'too-large' ? 'TOO_LARGE' : 'UNSUPPORTED_MEDIA_TYPE';
  throw new ProblemError(code, describe(first), { violations });
}

/** Case and parameters do not count; `image/*` is any image. */
function isOfType(mediaType: string, type: string): boolean {
  const essence = mediaType.replace(/;.*$/s, '').trim().toLowerCase();
  const wanted = type.toLowerCase();
  return wanted.endsWith('/*') ? essence.startsWith(wanted.slice(0, -1)) : essence === wanted;
}

function describe(violation: Violation): string {
  if (violation.kind === 'too-large')
    return `The files of a message may have ${violation.limit} bytes together.`;
  const { allowedMediaTypes, mediaType } = violation;
  if (allowedMediaTypes.length === 0) return 'This agent takes no files.';
  return `This agent takes no ${mediaType.slice(0, 100).toWellFormed()} files, only ${allowedMediaTypes.join(', ')}.`;
}
