import { randomKey } from '@parley/client/connection';
import type { Chat } from '../chat/chat-model.ts';
import { longestWait } from '../chat/conversation-store.ts';
import { forgetFiles, keepFiles, keptFiles, type Message } from './kept-files.ts';
import { ownDraft } from './own-draft.ts';

const followed = new WeakSet<Chat['draft']>();

/**
 * From now on the files of this draft outlive a reload. Those that an earlier page of this tab has left are among them;
 * in a tab that has left none yet, those that were drafted last when its chat was made.
 */
export async function keepDraft({ draft, saved }: Pick<Chat, 'draft' | 'saved'>): Promise<void> {
  if (followed.has(draft)) return;
  followed.add(draft);
  const { files: before } = draft.state;
  const tab = ownDraft(`${saved.name}:files`);
  const drafts = () => messages(saved.readObject('files'));
  const earlier = tab.get() ?? messages(draft.left).at(-1)?.id;
  const left = drafts().find(({ id }) => id === earlier);
  let own = left;
  let files = before;
  const keep = () => {
    const all = drafts();
    // Another tab that began with the same files may have changed them since: what it has stays.
    const last = all.find(({ id, at }) => id === own?.id && at === own.at);
    if (last) void forgetFiles(last);
    own = files.length > 0 ? { id: last?.id ?? randomKey(), at: Date.now() } : undefined;
    if (own) void keepFiles(own, files);
    const others = all.filter((each) => each !== last && isYoung(each));
    const kept = own ? [...others, own] : others;
    saved.set('files', kept.length > 0 ? JSON.stringify(kept) : '');
    tab.set(own?.id ?? '');
  };
  draft.subscribe(() => {
    if (draft.state.files === files) return;
    files = draft.state.files;
    keep();
  });

  if (!left) return;
  tab.set(left.id);
  // The message does not go without them.
  draft.set({ adding: draft.state.adding + 1 });
  const found = isYoung(left) ? await keptFiles(left) : null;
  draft.set({ adding: draft.state.adding - 1 });
  const { files: added } = draft.state;
  // It was given up meanwhile, or its visitor has left.
  if (added !== before && added.length === 0) return;
  if (!found) {
    if (added === before) keep();
    return draft.set({ problem: ({ label }) => label('filesLost') });
  }
  const all = [...found, ...added];
  // They need not be kept again.
  if (added === before) files = all;
  draft.set({ files: all });
}

const messages = (kept: object | null) => [kept ?? []].flat() as Message[];
const isYoung = ({ at }: Message) => at + longestWait > Date.now();
