import { sql } from 'kysely';
import type { PasskeyChallengeStore } from './passkey-store.ts';
import type { QueryEngine } from './query-engine.ts';

/** The challenges of any engine. */
export function createPasskeyChallenges({ queries, write, erase, now }: QueryEngine): PasskeyChallengeStore {
  return {
    async save({ challenge, memberId }, ttlMs) {
      await erase(sql`DELETE FROM passkey_challenges WHERE expires_at <= ${now()}`.compile(queries));
      const insert = sql`
        INSERT INTO passkey_challenges (challenge, member_id, expires_at)
        VALUES (${challenge}, ${memberId}, ${now()} + ${ttlMs}) RETURNING challenge`;
      await write(insert.compile(queries));
    },

    async take({ challenge, memberId }) {
      const ofMember = memberId === null ? sql`member_id IS NULL` : sql`member_id = ${memberId}`;
      const taken = sql`
        DELETE FROM passkey_challenges
        WHERE challenge = ${challenge} AND ${ofMember} AND expires_at > ${now()} RETURNING challenge`;
      return (await erase(taken.compile(queries))).length > 0;
    },
  };
}
