import type { FilesSettings } from '@parley/protocol/settings/files';
import type { ConversationCore } from '../conversation-core.ts';
import type { DraftProblem } from './draft-problem.ts';
import { keepDraft } from './keep-draft.ts';
import { findRejection, maxFiles } from './find-rejection.ts';
import { mediaTypeOf } from './media-type.ts';

/** Adds to the draft what the policy takes, and says what it does not; nothing once it is abandoned. */
export async function addFiles(
  core: Pick<ConversationCore, 'draft' | 'storage' | 'files' | 'clock' | 'environment' | 'signal'>,
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
  /** Says why the draft cannot have it, if it cannot. */
  const reject = (file: File): boolean => {
    const { files } = draft.state.value;
    const why = findRejection(files, file, policy);
    if (why) (why === 'refused' ? refused : surplus).push(file.name);
    return why !== null;
  };
  for (const file of chosen) {
    if (reject(file)) continue;
    const copy = await copyOf(file, mediaTypeOf(file));
    if (abandoned.aborted) return;
    if (!copy) unreadable.push(file.name);
    // Others may have been added meanwhile.
    else if (!reject(copy)) draft.change({ files: [...draft.state.value.files, copy] });
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
