import { randomKey } from '@parley/client/connection';
import type { ConversationCore } from '../conversation-core.ts';
import { longestWait } from '../storage/conversation-storage.ts';
import type { Draft } from './draft.ts';
import type { FileKey } from './file-storage.ts';
import { ownDraft } from './own-draft.ts';

const followed = new WeakSet<Draft>();

/**
 * From now on the files of this draft outlive a reload. Those that an earlier page of this tab has left are among them;
 * in a tab that has left none yet, those that were drafted last when its conversation was made.
 */
export async function keepDraft({
  draft,
  storage,
  files: kept,
  clock,
  environment,
}: Pick<ConversationCore, 'draft' | 'storage' | 'files' | 'clock' | 'environment'>): Promise<void> {
  if (followed.has(draft)) return;
  followed.add(draft);
  const { files: before } = draft.state.value;
  const tab = ownDraft(environment, `${storage.name}:files`);
  const drafts = () => messages(storage.readObject('files'));
  const isYoung = ({ at }: FileKey) => at + longestWait > clock.now();
  const earlier = tab.get() ?? messages(draft.left).at(-1)?.id;
  const left = drafts().find(({ id }) => id === earlier);
  let own = left;
  let files = before;
  /** What is left is known under its name until it is read. */
  let isReading = false;
  const keep = () => {
    const all = drafts();
    // Another tab that began with the same files may have changed them since: what it has stays.
    const last = all.find(({ id, at }) => id === own?.id && at === own.at);
    if (last) void kept.remove(last);
    own = files.length > 0 ? { id: last?.id ?? randomKey(), at: clock.now() } : undefined;
    if (own) void kept.keep(own, files);
    const others = all.filter((each) => each !== last && isYoung(each));
    const drafted = own ? [...others, own] : others;
    storage.set('files', drafted.length > 0 ? JSON.stringify(drafted) : '');
    tab.set(own?.id ?? '');
  };
  const unsubscribe = draft.state.subscribe((now) => {
    if (now.files === files) return;
    files = now.files;
    if (!isReading) keep();
  });

  if (!left) return;
  tab.set(left.id);
  // The message does not go without them.
  draft.change({ adding: draft.state.value.adding + 1 });
  isReading = true;
  const found = isYoung(left) ? await kept.read(left).catch(() => undefined) : null;
  isReading = false;
  draft.change({ adding: draft.state.value.adding - 1 });
  const { files: added } = draft.state.value;
  // It was given up meanwhile, or its visitor has left.
  if (added !== before && added.length === 0) return keep();
  if (found === undefined) {
    // They stay where they are, for the next files of this page or for the next page.
    unsubscribe();
    followed.delete(draft);
    return draft.change({ problem: { kind: 'network' } });
  }
  if (!found) {
    keep();
    return draft.change({ problem: { kind: 'lost' } });
  }
  const all = [...found, ...added];
  // They need not be kept again.
  if (added === before) files = all;
  draft.change({ files: all });
}

const messages = (kept: object | null) => [kept ?? []].flat() as FileKey[];
