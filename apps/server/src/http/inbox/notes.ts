import { randomUUID } from 'node:crypto';
import { maxNotes, type ThreadView } from '@parley/protocol/settings/inbox';
import { changeRecord } from '../../settings/audit.ts';
import { conflict, notFound } from '../../settings/settings-error.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';
import { isAdmin, teamMember } from './team-member.ts';
import type { TeamRequestDeps } from './team-requests.ts';

interface NoteDeps extends Pick<TeamRequestDeps, 'find'> {
  readonly store: Pick<Store, 'addNote' | 'listNotes' | 'removeNote'>;
  readonly threadView: (id: string) => Promise<ThreadView>;
  /** Tells whoever follows the conversation. */
  readonly changed: (sessionId: string) => void;
}

export type NoteNames = 'addNote' | 'deleteNote';

/** What members note of a conversation for each other. */
export function noteHandlers({ store, find, threadView, changed }: NoteDeps): Handlers<NoteNames> {
  return {
    async addNote({ response, principal, id, body: { text } }) {
      await find(principal, id);
      const { id: authorId, name } = teamMember(principal);
      const note = { id: randomUUID(), author: { id: authorId, name }, text, at: Date.now() };
      const added = await store.addNote(id, note, maxNotes);
      if (added === 'missing') throw notFound();
      if (added === 'full') throw conflict(`A conversation has at most ${maxNotes} notes.`);
      changed(id);
      response.status(201).json(await threadView(id));
    },

    async deleteNote({ request, response, principal, id }) {
      const { tenantId } = await find(principal, id);
      const noteId = String(request.params['note']);
      const note = (await store.listNotes(id)).find((each) => each.id === noteId);
      if (note && note.author.id !== teamMember(principal).id && !isAdmin(principal))
        throw new ProblemError('FORBIDDEN', 'It is somebody else’s note. An admin can remove it.');
      if (note) {
        const { author, at } = note;
        const change = changeRecord(principal, {
          tenantId,
          action: 'deleted',
          kind: 'note',
          // What it said is gone with it.
          subject: { id: noteId, name: null },
          before: { conversationId: id, author, at: new Date(at).toISOString() },
          after: null,
        });
        await store.removeNote(id, noteId, change);
        changed(id);
      }
      response.status(204).end();
    },
  };
}
