import { type FileRecord, type FileStore, fileChunkBytes } from '../file-store.ts';
import type { Limited, Quota } from '../limit-store.ts';
import type { Row } from '../query-engine.ts';
import { clockFunction, clockValue } from './clock.ts';
import type { Database } from './database.ts';
import { quotaFunction, recordQuotasFunction } from './quotas.ts';
import { sqlFunction } from './sql-function.ts';

/** Rows that one statement removes at most. */
const removalPage = 16;

const limitedColumns = 'OUT outcome text, OUT scope text, OUT "windowMs" bigint, OUT "retryAfterMs" bigint';
const rejectWhenUsedUp = `
  v_now := ${clockFunction.name}(p_now);
  SELECT r.scope, r.window_ms, r.retry_after_ms INTO scope, "windowMs", "retryAfterMs"
  FROM ${quotaFunction.name}(p_quotas, v_now) AS r;
  IF scope IS NOT NULL THEN
    outcome := 'limited';
    RETURN;
  END IF;`;

export const beginFileFunction = sqlFunction(
  'begin_file',
  `CREATE FUNCTION $name(
    p_now bigint, p_quotas jsonb, p_id text, p_tenant text, p_agent text, p_visitor text, p_media_type text,
    p_filename text, p_ttl bigint, ${limitedColumns}
  ) LANGUAGE plpgsql AS $$
  DECLARE v_now bigint;
  BEGIN
    ${rejectWhenUsedUp}
    INSERT INTO files (id, tenant_id, agent_id, visitor, media_type, filename, size, complete, expires_at)
    VALUES (p_id, p_tenant, p_agent, p_visitor, p_media_type, p_filename, 0, 0, v_now + p_ttl);
    PERFORM ${recordQuotasFunction.name}(p_quotas, v_now);
    outcome := 'begun';
  END $$`,
);

export const appendFileFunction = sqlFunction(
  'append_file',
  `CREATE FUNCTION $name(p_now bigint, p_quotas jsonb, p_id text, p_bytes bytea, ${limitedColumns}) LANGUAGE plpgsql AS $$
  DECLARE
    v_now bigint;
    v_file files;
  BEGIN
    SELECT * INTO v_file FROM files
    WHERE id = p_id AND complete = 0 AND expires_at > ${clockFunction.name}(p_now) FOR UPDATE;
    IF NOT FOUND THEN
      outcome := 'missing';
      RETURN;
    END IF;
    ${rejectWhenUsedUp}
    IF v_file.size % ${fileChunkBytes} <> 0 THEN
      RAISE EXCEPTION 'The last chunk of file % came before this one', p_id;
    END IF;
    INSERT INTO file_chunks (file, number, bytes) VALUES (v_file.key, v_file.size / ${fileChunkBytes}, p_bytes);
    UPDATE files SET size = size + length(p_bytes) WHERE key = v_file.key;
    PERFORM ${recordQuotasFunction.name}(p_quotas, v_now);
    outcome := 'appended';
  END $$`,
);

/** Removes a page of the files that nobody has and whose time was over at `p_until`; false when nothing was left. */
export const expireFilesFunction = sqlFunction(
  'expire_files',
  `CREATE FUNCTION $name(p_until bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    v_left integer := ${removalPage};
    v_file bigint;
    v_removed integer;
  BEGIN
    WHILE v_left > 0 LOOP
      SELECT key INTO v_file FROM files WHERE session IS NULL AND expires_at <= p_until
        ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN RETURN false; END IF;
      DELETE FROM file_chunks WHERE file = v_file
        AND number IN (SELECT number FROM file_chunks WHERE file = v_file LIMIT v_left);
      GET DIAGNOSTICS v_removed = ROW_COUNT;
      IF v_removed < v_left THEN
        DELETE FROM files WHERE key = v_file;
        v_removed := v_removed + 1;
      END IF;
      v_left := v_left - v_removed;
    END LOOP;
    RETURN true;
  END $$`,
);

export interface Files extends FileStore {
  /** Removes the files of sessions that are gone. */
  removeDetached(): Promise<void>;
  /** Removes those of a tenant that no session has; what is on its way of them is missing from then on. */
  removeUnboundOfTenant(tenantId: string): Promise<void>;
}

export function prepareFiles({ query, now }: Database): Files {
  const begin = `SELECT * FROM ${beginFileFunction.name}($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
  const append = `SELECT * FROM ${appendFileFunction.name}($1, $2, $3, $4)`;
  const complete = `
    UPDATE files SET complete = 1, expires_at = ${clockValue('$2')} + $3
    WHERE id = $1 AND complete = 0 AND expires_at > ${clockValue('$2')} RETURNING expires_at`;
  const get = `
    SELECT files.id, files.tenant_id AS "tenantId", files.agent_id AS "agentId", files.visitor,
      sessions.id AS "sessionId", media_type AS "mediaType", filename, size
    FROM files LEFT JOIN sessions ON sessions.key = files.session
    WHERE files.id = $1 AND complete = 1 AND coalesce(sessions.status <> 'removed', expires_at > ${clockValue('$2')})`;
  const chunk = `
    SELECT bytes FROM file_chunks WHERE file = (SELECT key FROM files WHERE id = $1) AND number = $2`;
  const unlink = 'UPDATE files SET expires_at = 0 WHERE id = ANY ($1) AND session IS NULL';
  const unlinkOfTenant = 'UPDATE files SET expires_at = 0 WHERE session IS NULL AND tenant_id = $1';
  const expire = `SELECT ${expireFilesFunction.name}(coalesce($1::bigint, ${clockValue('$2')})) AS left`;

  async function expireUntil(until: number | null): Promise<void> {
    for (;;) {
      const [row] = await query(expire, [until, now()]);
      if (!row?.['left']) return;
    }
  }

  return {
    async begin({ id, tenantId, agentId, visitor, mediaType, filename }, { quotas, ttlMs }) {
      const list = JSON.stringify(quotas);
      const values = [now(), list, id, tenantId, agentId, visitor, mediaType, filename, ttlMs];
      const [row] = await query(begin, values);
      return row?.['outcome'] === 'begun' ? { outcome: 'begun' } : limited(row!);
    },
    async append(id, bytes, { quotas }: { readonly quotas: readonly Quota[] }) {
      if (bytes.length > fileChunkBytes)
        throw new Error(`A chunk has at most ${fileChunkBytes} bytes, this one ${bytes.length}`);
      const [row] = await query(append, [now(), JSON.stringify(quotas), id, Buffer.from(bytes)]);
      if (row?.['outcome'] === 'limited') return limited(row);
      return { outcome: row?.['outcome'] === 'appended' ? 'appended' : 'missing' };
    },
    async complete(id, { ttlMs }) {
      const [row] = await query(complete, [id, now(), ttlMs]);
      return row === undefined ? null : Number(row['expires_at']);
    },
    async get(id) {
      const [row] = await query(get, [id, now()]);
      // The columns are aliased to the record's fields.
      return (row as unknown as FileRecord | undefined) ?? null;
    },
    async chunk(id, number) {
      const [row] = await query(chunk, [id, number]);
      return (row?.['bytes'] as Uint8Array | undefined) ?? null;
    },
    async discard(ids) {
      await query(unlink, [[...ids]]);
      await expireUntil(0);
    },
    expire: () => expireUntil(null),
    removeDetached: () => expireUntil(0),
    async removeUnboundOfTenant(tenantId) {
      await query(unlinkOfTenant, [tenantId]);
      await expireUntil(0);
    },
  };
}

function limited(row: Row): Limited {
  return {
    outcome: 'limited',
    scope: String(row['scope']),
    windowMs: Number(row['windowMs']),
    retryAfterMs: Number(row['retryAfterMs']),
  };
}
