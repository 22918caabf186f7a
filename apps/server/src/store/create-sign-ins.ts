import { sql } from 'kysely';
import { createCollection } from './collection.ts';
import type { QueryEngine } from './query-engine.ts';
import { recordMemory } from './record-memory.ts';
import type { SettingsStore, SignInRecord } from './settings-store.ts';
import { wholeNumber } from './whole-number.ts';

const encoding = { json: {}, boolean: [], long: ['secrets', 'problem'] };

export function createSignIns(engine: QueryEngine): SettingsStore['signIns'] {
  const recordOf = recordMemory<SignInRecord>(encoding);
  return {
    ...createCollection<SignInRecord>(engine, 'sign_ins', encoding),
    async claimRefresh(id, version, leaseMs) {
      const claim = sql`
        UPDATE sign_ins SET refreshing_until = ${engine.now()} + ${wholeNumber(leaseMs)}, version = version + 1
        WHERE id = ${id} AND version = ${wholeNumber(version)}
          AND (refreshing_until IS NULL OR refreshing_until <= ${engine.now()})
        RETURNING *`;
      const [claimed] = await engine.write(claim.compile(engine.queries));
      return claimed ? recordOf(claimed) : null;
    },
    async listForgotten(limit) {
      // Of a session that is being removed the id is another one already.
      const query = sql`
        SELECT * FROM sign_ins
        WHERE (visitor IS NOT NULL OR session_id IS NOT NULL) AND NOT EXISTS (
          SELECT 1 FROM sessions WHERE sessions.id = sign_ins.session_id
        ) AND NOT EXISTS (
          SELECT 1 FROM sessions WHERE sessions.agent_id = sign_ins.agent_id AND sessions.visitor = sign_ins.visitor
        ) LIMIT ${limit}`;
      return (await engine.read(query.compile(engine.queries))).map((row) => recordOf(row));
    },
  };
}
