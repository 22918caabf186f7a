import type { MessageStore } from '../message-store.ts';
import type { Database } from './database.ts';

/** A session that is being removed waits for this, and then finds what was saved of it. */
const save = `
  WITH alive AS (
    SELECT key FROM sessions WHERE key = ANY ($1::bigint[]) AND status <> 'removed' ORDER BY key FOR KEY SHARE
  ), taken AS (
    DELETE FROM unsearched_events AS u USING
      unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS given (session, first, last, until)
    WHERE u.session = given.session AND u.first_index = given.first AND u.session IN (SELECT key FROM alive)
    RETURNING given.session, given.first, given.last, given.until
  ), rest AS (
    INSERT INTO unsearched_events (session, first_index, last_index)
    SELECT session, until + 1, last FROM taken WHERE until < last
  )
  INSERT INTO searched_messages (session, idx, terms)
  SELECT taken.session, idx, terms
  FROM unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
    WITH ORDINALITY AS said (session, first, idx, terms, place)
    JOIN taken ON taken.session = said.session AND taken.first = said.first
  ORDER BY place`;

export function prepareMessages({ query }: Pick<Database, 'query'>): Pick<MessageStore, 'saveSearched'> {
  return {
    async saveSearched(ranges) {
      const said = ranges.flatMap(({ session, first, messages }) =>
        messages.map(({ index, terms }) => ({ session, first, index, terms })),
      );
      await query(save, [
        ranges.map(({ session }) => session),
        ranges.map(({ first }) => first),
        ranges.map(({ last }) => last),
        ranges.map(({ until }) => until),
        said.map(({ session }) => session),
        said.map(({ first }) => first),
        said.map(({ index }) => index),
        said.map(({ terms }) => terms.join(' ')),
      ]);
    },
  };
}
