import { fold } from '../fold.ts';
import type { FilesSettings } from '@parley/protocol/settings/files';
import type { ConversationCore } from '../conversation-core.ts';
import type { DraftProblem } from './draft-problem.ts';
import { keepDraft } from './keep-draft.ts';
import { isTaken, mediaTypeOf } from './media-type.ts';

/** A message may have this many. */
const maxFiles = 10;

/** Adds to the draft what the policy takes, and says what it does not; nothing once it is abandoned. */
export async function addFiles(
  core: Pick<ConversationCore, 'draft' | 'storage' | 'files' | 'clock' | 'environment'>,
  chosen: readonly File[],
  policy: FilesSettings,
  abandoned: AbortSignal,
): Promise<void> {
  const { draft } = core;
  const unreadable: string[] = [];
  const refused: string[] = [];
  const surplus: string[] = [];
  if (abandoned.aborted) return;
  void keepDraft(core);
  for (const file of chosen) {
    const type = mediaTypeOf(file);
    const { files } = draft.state.value;
    const left = policy.totalBytes - fold(files, 0, (sum, { size }) => sum + size);
    if (!isTaken(type, policy.types) || file.size > left) refused.push(file.name);
    else if (files.length >= maxFiles) surplus.push(file.name);
    else {
      const copy = await copyOf(file, type);
      if (abandoned.aborted) return;
      if (copy) draft.change({ files: [...draft.state.value.files, copy] });
      else unreadable.push(file.name);
    }
  }
  const isRejected = unreadable.length + refused.length + surplus.length > 0;
  const problem: DraftProblem = { kind: 'rejected', unreadable, refused, surplus, policy, maxFiles };
  draft.change({ problem: isRejected ? problem : null });
}

/** The bytes as they are now: the file itself may change, or go, before it is sent. A folder has none. */
async function copyOf(file: File, type: string): Promise<File | null> {
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes?.byteLength ? new File([bytes], file.name.toWellFormed(), { type }) : null;
}
