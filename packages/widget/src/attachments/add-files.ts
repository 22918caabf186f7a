import type { FilesSettings } from '@parley/protocol/settings/files';
import type { Chat } from '../chat/chat-model.ts';
import { keepDraft } from './keep-draft.ts';
import { isTaken, mediaTypeOf } from './media-type.ts';
import type { Words } from '../labels/labels.ts';
import { sayKinds, sayNames, saySize } from './say-policy.ts';

/** A message may have this many. */
const most = 10;

/** Adds to the draft what the policy takes, and says what it does not; nothing once it is not wanted any more. */
export async function addFiles(
  { draft, saved }: Pick<Chat, 'draft' | 'saved'>,
  chosen: readonly File[],
  { types, totalBytes }: FilesSettings,
  isWanted: () => boolean,
): Promise<void> {
  const refused: string[] = [];
  const surplus: string[] = [];
  const unreadable: string[] = [];
  if (!isWanted()) return;
  void keepDraft({ draft, saved });
  for (const file of chosen) {
    const type = mediaTypeOf(file);
    const left = totalBytes - draft.state.files.reduce((sum, { size }) => sum + size, 0);
    if (!isTaken(type, types) || file.size > left) refused.push(file.name);
    else if (draft.state.files.length >= most) surplus.push(file.name);
    else {
      const copy = await copyOf(file, type);
      if (!isWanted()) return;
      if (copy) draft.set({ files: [...draft.state.files, copy] });
      else unreadable.push(file.name);
    }
  }
  const problem = (words: Words) =>
    [
      unreadable.length > 0 ? sayNames('unreadable', unreadable, words) : [],
      refused.length > 0
        ? [sayNames('notAccepted', refused, words), sayKinds(types, words), saySize(totalBytes, words)]
        : [],
      surplus.length > 0
        ? [sayNames('notAccepted', surplus, words), words.label('filesAllowed', { count: most })]
        : [],
    ]
      .flat()
      .join(' ');
  draft.set({ problem: unreadable.length + refused.length + surplus.length > 0 ? problem : null });
}

/** The bytes as they are now: the file itself may change, or go, before it is sent. A folder has none. */
async function copyOf(file: File, type: string): Promise<File | null> {
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes?.byteLength ? new File([bytes], file.name.toWellFormed(), { type }) : null;
}
