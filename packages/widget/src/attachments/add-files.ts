import type { FilesSettings } from '@parley/protocol/settings/files';
import type { Draft } from '../chat/draft.ts';
import type { Store } from '../chat/store.ts';
import { isTaken, mediaTypeOf } from './media-type.ts';
import type { Words } from '../labels/labels.ts';
import { sayKinds, sayNames, saySize } from './say-policy.ts';

/** Adds to the draft what the policy takes, and says what it does not; nothing once it is not wanted any more. */
export async function addFiles(
  draft: Store<Draft>,
  chosen: readonly File[],
  { types, totalBytes }: FilesSettings,
  isWanted: () => boolean,
): Promise<void> {
  const refused: string[] = [];
  const unreadable: string[] = [];
  if (!isWanted()) return;
  for (const file of chosen) {
    const type = mediaTypeOf(file);
    const left = totalBytes - draft.state.files.reduce((sum, { size }) => sum + size, 0);
    if (!isTaken(type, types) || file.size > left) refused.push(file.name);
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
    ]
      .flat()
      .join(' ');
  draft.set({ problem: unreadable.length + refused.length > 0 ? problem : null });
}

/** The bytes as they are now: the file itself may change, or go, before it is sent. A folder has none. */
async function copyOf(file: File, type: string): Promise<File | null> {
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes?.byteLength ? new File([bytes], file.name.toWellFormed(), { type }) : null;
}
