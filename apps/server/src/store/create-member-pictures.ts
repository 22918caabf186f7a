import { sql } from 'kysely';
import { auditEntry } from './create-audit.ts';
import type { MemberPictureStore } from './member-picture-store.ts';
import type { QueryEngine } from './query-engine.ts';

/** The pictures of members of any engine. */
export function createMemberPictures({ queries, read, write, erase }: QueryEngine): MemberPictureStore {
  return {
    async save(memberId, { id, picture }, change) {
      const saved = sql`
        INSERT INTO member_pictures (member_id, id, picture)
        SELECT id, ${id}, ${picture} FROM members WHERE id = ${memberId}
        ON CONFLICT (member_id) DO UPDATE SET picture = excluded.picture RETURNING member_id`;
      return (await write(saved.compile(queries), change && auditEntry(change))).length > 0;
    },

    async remove(memberId, change) {
      const removed = sql`DELETE FROM member_pictures WHERE member_id = ${memberId} RETURNING member_id`;
      await erase(removed.compile(queries), change && auditEntry(change));
    },

    async ofMember(memberId) {
      const found = sql`SELECT id, picture FROM member_pictures WHERE member_id = ${memberId}`;
      const [row] = await read(found.compile(queries));
      return row === undefined ? null : { id: String(row['id']), picture: String(row['picture']) };
    },

    async get(id) {
      const [row] = await read(sql`SELECT picture FROM member_pictures WHERE id = ${id}`.compile(queries));
      return row === undefined ? null : String(row['picture']);
    },
  };
}
