import { randomKey } from '@parley/client/connection';
import type { ConversationCore } from '../conversation-core.ts';
import { longestWait } from '../storage/conversation-storage.ts';
import type { Draft } from './draft.ts';
import type { FileKey } from './file-storage.ts';
import { ownDraft } from './own-draft.ts';

const followed = new WeakSet<Draft>();
/** What the conversations of this page have drafted: of two with one key the second does not take the files of the first. */
const taken = new Set<string>();

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
  signal,
}: Pick<
  ConversationCore,
  'draft' | 'storage' | 'files' | 'clock' | 'environment' | 'signal'
>): Promise<void> {
  if (followed.has(draft)) return;
  followed.add(draft);
  const { files: before } = draft.state.value;
  const tab = ownDraft(environment, `${storage.name}:files`);
  const drafts = () => messages(storage.readObject('files'));
  const isYoung = ({ at }: FileKey) => at + longestWait > clock.now();
  const earlier =
    tab.get() ??
    messages(draft.left)
      .slice(-1)
      .map(({ id }) => id);
  const there = drafts();
  // In the order in which they were begun: the first conversation of the next page has those of the first.
  const [left] = earlier.flatMap((each) => there.filter(({ id }) => id === each && !taken.has(id)));
  let own: FileKey | undefined;
  const setOwn = (changed: FileKey | undefined) => {
    const all = drafts();
    const ids = tab.get() ?? [];
    const others = ids.filter((each) => each !== own?.id && all.some(({ id }) => id === each));
    if (own) taken.delete(own.id);
    own = changed;
    if (own) taken.add(own.id);
    // What is there already keeps its place.
    if (!own || !ids.includes(own.id)) tab.set([...others, ...(own ? [own.id] : [])]);
  };
  let files = before;
  /** What is left is known under its name until it is read. */
  let isReading = false;
  const keep = () => {
    const all = drafts();
    // Another tab that began with the same files may have changed them since: what it has stays.
    const last = all.find(({ id, at }) => id === own?.id && at === own.at);
    if (last) void kept.remove(last);
    const now = files.length > 0 ? { id: last?.id ?? randomKey(), at: clock.now() } : undefined;
    if (now) void kept.keep(now, files);
    const others = all.filter((each) => each !== last && isYoung(each));
    const drafted = now ? [...others, now] : others;
    storage.set('files', drafted.length > 0 ? JSON.stringify(drafted) : '');
    setOwn(now);
  };
  const unsubscribe = draft.state.subscribe((now) => {
    if (now.files === files) return;
    files = now.files;
    if (!isReading) keep();
  });

  const release = () => own && taken.delete(own.id);
  signal.addEventListener('abort', release);

  if (!left) return;
  setOwn(left);
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
    release();
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
