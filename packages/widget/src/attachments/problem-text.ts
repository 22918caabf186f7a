import type { ParleyError } from '@parley/client/error';
import type { Words } from '../i18n/labels.ts';
import type { FilesLost, FilesRefused } from '@parley/conversation';
import { sayKinds, sayNames, saySize } from './say-policy.ts';

/** Why a message with files was not sent, if it is because of them. */
export function problemText(error: ParleyError, words: Words): string | undefined {
  const { isLost, violations, status, code, retryAfter } = error as ParleyError &
    Partial<Pick<FilesLost, 'isLost'> & Pick<FilesRefused, 'violations'>>;
  if (isLost) return words.label('filesLost');
  if (!violations) return;
  const [first] = violations;
  // A limit that does not end is the room for files in one conversation.
  const full = status === 413 || (code === 'QUOTA_EXCEEDED' && retryAfter === undefined);
  if (!first) return full ? words.label('filesTooLarge') : undefined;
  const names = violations.map(({ filename, mediaType }) => filename ?? mediaType);
  const allowed =
    first.kind === 'too-large' ? saySize(first.limit, words) : sayKinds(first.allowedMediaTypes, words);
  return `${sayNames('notAccepted', names, words)} ${allowed}`;
}
