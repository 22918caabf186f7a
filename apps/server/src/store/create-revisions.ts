import { type RawBuilder, sql } from 'kysely';
import { auditEntry } from './create-audit.ts';
import { type Encoding, fromColumns, toColumns } from './columns.ts';
import type { QueryEngine, Row } from './query-engine.ts';
import {
  type Author,
  type DraftRecord,
  maxRevisions,
  type RevisionRecord,
  type RevisionStore,
} from './revision-store.ts';
import type { AgentRecord } from './agent-record.ts';

type Columns = Readonly<Record<string, unknown>>;

const encoding: Encoding = { json: { config: null, fields: [] }, boolean: [], long: [] };

/** The revisions and drafts of any engine; `agentEncoding` is how agents are stored. */
export function createRevisions(
  { queries, read, write, erase }: QueryEngine,
  agentEncoding: Encoding,
): RevisionStore {
  const insertRevision = (agentId: string, record: RevisionRecord, where: RawBuilder<unknown>) =>
    insertWhere('agent_revisions', { agent_id: agentId, ...stored(record) }, where);

  return {
    async begin(agent, revision, change) {
      const columns = toColumns(agent, agentEncoding);
      const insert = sql`${insertInto('agents', columns)} VALUES (${values(columns)}) RETURNING id`;
      await write(
        insert.compile(queries),
        (written) => insertRevision(agent.id, revision, written),
        change && auditEntry(change),
      );
    },

    async publish(agentId, { revision: record, fields, before, draft }, change) {
      const { revision } = record;
      const columns = Object.entries(toColumns({ ...fields, revision }, agentEncoding));
      const assigned = columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
      const { name, active, config, credentials } = before;
      const read = toColumns({ name, active, config, credentials, revision: revision - 1 }, agentEncoding);
      const unchanged = Object.entries(read).map(([column, value]) =>
        value === null ? sql`${sql.ref(column)} IS NULL` : sql`${sql.ref(column)} = ${value}`,
      );
      const update = sql`
        UPDATE agents SET ${sql.join(assigned)}
        WHERE id = ${agentId} AND ${sql.join(unchanged, sql` AND `)} RETURNING *`;
      const [row] = await erase(
        update.compile(queries),
        (written) => insertRevision(agentId, record, written),
        (written) => sql`DELETE FROM agent_revisions
          WHERE agent_id = ${agentId} AND revision <= ${revision - maxRevisions} AND ${written}`,
        (written) => sql`DELETE FROM agent_drafts
          WHERE agent_id = ${agentId} AND version = ${draft} AND ${written}`,
        change && auditEntry(change),
      );
      return row === undefined ? null : fromColumns<AgentRecord>(row, agentEncoding);
    },

    async list({ agentId, after, limit }) {
      const before = after !== null && /^\d{1,9}$/.test(after) ? Number(after) : 1_000_000_000;
      const rows = await read(
        sql`SELECT revision, at, author_id, author_name, note, fields FROM agent_revisions
          WHERE agent_id = ${agentId} AND revision < ${before} ORDER BY revision DESC LIMIT ${limit + 1}`.compile(
          queries,
        ),
      );
      const items = rows.slice(0, limit).map((row) => authored<RevisionRecord>(row));
      const last = items.at(-1);
      return { items, next: rows.length > limit && last !== undefined ? String(last.revision) : null };
    },

    async get(agentId, revision) {
      const [row] = await read(
        sql`SELECT revision, at, author_id, author_name, note, fields, name, config FROM agent_revisions
          WHERE agent_id = ${agentId} AND revision = ${revision}`.compile(queries),
      );
      return row === undefined ? null : authored<RevisionRecord>(row);
    },

    async getDraft(agentId) {
      const [row] = await read(sql`SELECT * FROM agent_drafts WHERE agent_id = ${agentId}`.compile(queries));
      return row === undefined ? null : authored<DraftRecord>(row);
    },

    async saveDraft(draft, before, change) {
      const { agent_id: agentId, ...columns } = stored(draft);
      const assigned = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
      const saved =
        before === null
          ? sql`${insertWhere('agent_drafts', { agent_id: agentId, ...columns }, sql`EXISTS (SELECT 1 FROM agents WHERE id = ${agentId})`)}
              ON CONFLICT (agent_id) DO NOTHING RETURNING agent_id`
          : sql`UPDATE agent_drafts SET ${sql.join(assigned)}
              WHERE agent_id = ${agentId} AND version = ${before} RETURNING agent_id`;
      return (await write(saved.compile(queries), change && auditEntry(change))).length > 0;
    },

    async removeDraft(agentId, version, change) {
      const ofVersion = version === undefined ? sql`` : sql`AND version = ${version}`;
      const removed = sql`DELETE FROM agent_drafts WHERE agent_id = ${agentId} ${ofVersion} RETURNING agent_id`;
      return (await erase(removed.compile(queries), change && auditEntry(change))).length > 0;
    },

    async listDrafts({ after, limit }) {
      const rows = await read(
        sql`SELECT * FROM agent_drafts WHERE agent_id > ${after ?? ''} ORDER BY agent_id LIMIT ${limit}`.compile(
          queries,
        ),
      );
      return rows.map((row) => authored<DraftRecord>(row));
    },
  };
}

const insertInto = (table: string, columns: Columns) =>
  sql`INSERT INTO ${sql.table(table)} (${sql.join(Object.keys(columns).map((name) => sql.ref(name)))})`;
const values = (columns: Columns) => sql.join(Object.values(columns));
const insertWhere = (table: string, columns: Columns, where: RawBuilder<unknown>) =>
  sql`${insertInto(table, columns)} SELECT ${values(columns)} WHERE ${where}`;

function stored({ author, ...record }: { readonly author: Author }): Columns {
  return toColumns({ ...record, authorId: author?.id ?? null, authorName: author?.name ?? null }, encoding);
}

function authored<T>(row: Row): T {
  const { author_id: id, author_name: name, ...rest } = row;
  const author: Author = id == null ? null : { id: String(id), name: String(name) };
  return { ...fromColumns<T & object>(rest, encoding), author };
}
