import type { DatabaseSync } from 'node:sqlite';
import type { MessageStore } from '../message-store.ts';
import type { GroupCommit } from './group-commit.ts';
import type { TermIndex } from './term-index.ts';

/** Terms that take as much of the index as those of a passage. */
const termsOfPassage = 150;

export function prepareMessages(
  connection: DatabaseSync,
  commits: GroupCommit,
  termIndex: TermIndex,
): Pick<MessageStore, 'saveSearched'> {
  const take = connection.prepare(
    'DELETE FROM unsearched_events WHERE session = ? AND first_index = ? RETURNING session',
  );
  const leave = connection.prepare(
    'INSERT INTO unsearched_events (session, first_index, last_index) VALUES (?, ?, ?)',
  );
  const add = connection.prepare('INSERT INTO searched_messages (session, idx, terms) VALUES (?, ?, ?)');

  return {
    saveSearched: (ranges) =>
      commits.write(() => {
        let added = 0;

        for (const { session, first, last, until, messages } of ranges) {
          if (!take.get(session, first)) continue;
          if (until < last) leave.run(session, until + 1, last);
          for (const { index, terms } of messages) {
            add.run(session, index, terms.join(' '));
            added += terms.length;
          }
        }
        termIndex.changed({ added: Math.ceil(added / termsOfPassage), removed: 0 });
      }),
  };
}
