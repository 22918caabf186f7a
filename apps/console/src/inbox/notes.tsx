import type { ThreadView } from '@parley/protocol/settings/inbox';
import { sentenceOf } from '../api/api-error.ts';
import { deleteIfThere } from '../api/call.ts';
import { isAtLeast, member } from '../api/member.ts';
import { SaidAt } from '../conversations/said-at.tsx';

interface NotesProps {
  readonly id: string;
  readonly notes: ThreadView['notes'];
  readonly mayWrite: boolean;
  readonly reload: () => Promise<void>;
  readonly onFailure: (sentence: string | null) => void;
}

/** What the team says to itself. */
export function Notes({ id, notes, mayWrite, reload, onFailure }: NotesProps) {
  const remove = async (noteId: string) => {
    try {
      await deleteIfThere(`/conversations/${id}/notes/${noteId}`);
      onFailure(null);
    } catch (error) {
      onFailure(sentenceOf(error));
    }
    await reload();
  };
  return (
    <section class="notes" aria-label="Notes">
      <ul>
        {notes.map(({ id: noteId, author, text, at }) => (
          <li key={noteId}>
            <p class="meta">
              {author.name} · <SaidAt at={at} /> · only the team sees this
              {mayWrite && (author.id === member.value?.id || isAtLeast('admin')) && (
                <button type="button" class="button small danger-quiet" onClick={() => void remove(noteId)}>
                  Remove
                </button>
              )}
            </p>
            <p class="note-text" dir="auto">
              {text}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
