import { type RawBuilder, sql } from 'kysely';
import { createCollection } from './collection.ts';
import { type Encoding, fromColumns, toColumns } from './columns.ts';
import { auditEntry } from './create-audit.ts';
import type { QueryEngine } from './query-engine.ts';
import type { MemberRecord, MemberStore } from './settings-store.ts';

const encoding: Encoding = { json: {}, boolean: [], long: ['name', 'sign_in_name', 'second_factor'] };

/** The members of the console, in any engine. */
export function createMembers(engine: QueryEngine): MemberStore {
  const { queries, write, erase, locked } = engine;

  /** Both rows are locked in the order of their ids: two owners who remove each other wait, and do not block each other. */
  const asOwner = (ownerId: string, id: string, statement: RawBuilder<unknown>) =>
    sql`
      WITH pair AS (SELECT id, role FROM members WHERE id IN (${ownerId}, ${id}) ORDER BY id ${locked})
      ${statement} WHERE id = ${id} AND EXISTS (SELECT 1 FROM pair WHERE id = ${ownerId} AND role = 'owner')
      RETURNING *`.compile(queries);

  return {
    ...createCollection<MemberRecord>(engine, 'members', encoding),

    async insertInvited(member, invitationId, change) {
      const used = queries
        .deleteFrom('invitations')
        .where('id', '=', invitationId)
        .where('expires_at', '>', member.createdAt)
        .returning('id');
      const columns = Object.entries(toColumns(member, encoding));
      const names = sql.join(columns.map(([name]) => sql.ref(name)));
      const values = sql.join(columns.map(([, value]) => value));
      const rows = await erase(
        used.compile(),
        (written) => sql`INSERT INTO members (${names}) SELECT ${values} WHERE ${written}`,
        auditEntry(change),
      );
      return rows.length > 0;
    },

    async changeRoleAsOwner(ownerId, id, role, change) {
      const query = asOwner(ownerId, id, sql`UPDATE members SET role = ${role}`);
      const [row] = await write(query, auditEntry(change));
      return row === undefined ? null : fromColumns<MemberRecord>(row, encoding);
    },

    async removeAsOwner(ownerId, id, change) {
      return (await erase(asOwner(ownerId, id, sql`DELETE FROM members`), auditEntry(change))).length > 0;
    },
  };
}
