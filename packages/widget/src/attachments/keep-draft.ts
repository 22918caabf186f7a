import { randomKey } from '@parley/client/connection';
import { longestWait, type ConversationStore } from '../chat/conversation-store.ts';
import type { Draft } from '../chat/draft.ts';
import type { Store } from '../chat/store.ts';
import { forgetFiles, keepFiles, keptFiles, type Message } from './kept-files.ts';

const followed = new WeakSet<Store<Draft>>();

/** From now on the files of this draft outlive a reload; what an earlier page has left is among them. */
export async function keepDraft(draft: Store<Draft>, saved: ConversationStore): Promise<void> {
  if (followed.has(draft)) return;
  followed.add(draft);
  const { files: before } = draft.state;
  const drafted = () => saved.readObject('files') as Message | null;
  const left = drafted();
  let files = before;
  let own = saved.get('files');
  draft.subscribe(() => {
    if (draft.state.files === files) return;
    files = draft.state.files;
    // What another tab has drafted since stays.
    if (files.length === 0 && saved.get('files') !== own) return;
    const last = drafted();
    if (last) void forgetFiles(last);
    const next = { id: randomKey(), at: Date.now() };
    if (files.length > 0) void keepFiles(next, files);
    own = files.length > 0 ? JSON.stringify(next) : '';
    saved.set('files', own);
  });

  if (!left) return;
  // The message does not go without them.
  draft.set({ adding: draft.state.adding + 1 });
  const found = left.at + longestWait > Date.now() ? await keptFiles(left) : null;
  draft.set({ adding: draft.state.adding - 1 });
  const { files: added } = draft.state;
  // It was given up meanwhile, or its visitor has left.
  if (added !== before && added.length === 0) return;
  if (!found) {
    if (added === before) saved.set('files', '');
    return draft.set({ problem: ({ label }) => label('filesLost') });
  }
  const all = [...found, ...added];
  // They need not be kept again.
  if (added === before) files = all;
  draft.set({ files: all });
}
