import type { DatabaseSync } from 'node:sqlite';
import { type FileRecord, type FileStore, fileChunkBytes } from '../file-store.ts';
import type { Clock } from '../clock.ts';
import type { GroupCommit } from './group-commit.ts';
import { prepareQuotas } from './quotas.ts';

/** Bytes and rows that one transaction removes at most: overwriting 1 MB takes some milliseconds. */
const removalPage = { bytes: 4 * fileChunkBytes, rows: 200 };

export interface Files extends FileStore {
  /** Removes the files of sessions that are gone. */
  removeDetached(): Promise<void>;
  /** Removes those of a tenant that no session has; what is on its way of them is missing from then on. */
  removeUnboundOfTenant(tenantId: string): Promise<void>;
}

export function prepareFiles(connection: DatabaseSync, commits: GroupCommit, clock: Clock): Files {
  const insert = connection.prepare(`
    INSERT INTO files (id, tenant_id, agent_id, visitor, session, media_type, filename, size, complete, expires_at)
    VALUES (?, ?, ?, ?, NULL, ?, ?, 0, 0, ?)`);
  const growing = connection.prepare(
    'SELECT key, size FROM files WHERE id = ? AND complete = 0 AND expires_at > ?',
  );
  const insertChunk = connection.prepare('INSERT INTO file_chunks (file, number, bytes) VALUES (?, ?, ?)');
  const grow = connection.prepare('UPDATE files SET size = size + ? WHERE key = ?');
  const complete = connection.prepare(
    'UPDATE files SET complete = 1, expires_at = ? WHERE id = ? AND complete = 0 AND expires_at > ?',
  );
  const get = connection.prepare(`
    SELECT files.id, files.tenant_id AS tenantId, files.agent_id AS agentId, files.visitor, sessions.id AS sessionId,
      media_type AS mediaType, filename, size
    FROM files LEFT JOIN sessions ON sessions.key = files.session
    WHERE files.id = ? AND complete = 1 AND coalesce(sessions.status <> 'removed', expires_at > ?)`);
  const chunk = connection.prepare(`
    SELECT bytes FROM file_chunks WHERE file = (SELECT key FROM files WHERE id = ?) AND number = ?`);
  const unlink = connection.prepare('UPDATE files SET expires_at = 0 WHERE id = ?');
  const unlinkOfTenant = connection.prepare(
    'UPDATE files SET expires_at = 0 WHERE session IS NULL AND tenant_id = ?',
  );
  const expired = connection.prepare(
    'SELECT key FROM files WHERE session IS NULL AND expires_at <= ? ORDER BY expires_at LIMIT 1',
  );
  const removeChunk = connection.prepare(`
    DELETE FROM file_chunks WHERE key IN (SELECT key FROM file_chunks WHERE file = ? LIMIT 1)
    RETURNING length(bytes) AS size`);
  const remove = connection.prepare('DELETE FROM files WHERE key = ?');
  const quotas = prepareQuotas(connection);

  /** False when nothing was left to remove. */
  function removePage(now: number): boolean {
    let { bytes, rows } = removalPage;
    while (bytes > 0 && rows > 0) {
      const file = expired.get(now)?.['key'];
      if (file === undefined) break;
      const removed = removeChunk.get(Number(file));
      if (removed === undefined) remove.run(Number(file));
      else bytes -= Number(removed['size']);
      rows -= 1;
    }
    return rows < removalPage.rows;
  }

  async function expire(until: number): Promise<void> {
    while (await commits.erase(() => removePage(until)));
  }

  return {
    begin: (file, { quotas: counted, ttlMs }) =>
      commits.write(() => {
        const now = clock();
        const limited = quotas.rejection(counted, now);
        if (limited !== null) return limited;
        const { id, tenantId, agentId, visitor, mediaType, filename } = file;
        insert.run(id, tenantId, agentId, visitor, mediaType, filename, now + ttlMs);
        quotas.record(counted, now);
        return { outcome: 'begun' };
      }),
    async append(id, bytes, { quotas: counted }) {
      if (bytes.length > fileChunkBytes)
        throw new Error(`A chunk has at most ${fileChunkBytes} bytes, this one ${bytes.length}`);
      return commits.write(() => {
        const now = clock();
        const file = growing.get(id, now);
        if (file === undefined) return { outcome: 'missing' };
        const limited = quotas.rejection(counted, now);
        if (limited !== null) return limited;
        const size = Number(file['size']);
        if (size % fileChunkBytes !== 0) throw new Error(`The last chunk of file ${id} came before this one`);
        insertChunk.run(Number(file['key']), size / fileChunkBytes, bytes);
        grow.run(bytes.length, Number(file['key']));
        quotas.record(counted, now);
        return { outcome: 'appended' };
      });
    },
    complete: (id, { ttlMs }) =>
      commits.write(() => {
        const now = clock();
        return complete.run(now + ttlMs, id, now).changes > 0 ? now + ttlMs : null;
      }),
    // The columns are aliased to the record's fields.
    get: async (id) => (get.get(id, clock()) as unknown as FileRecord | undefined) ?? null,
    chunk: async (id, number) => (chunk.get(id, number)?.['bytes'] as Uint8Array | undefined) ?? null,
    async discard(ids) {
      await commits.write(() => {
        for (const id of ids) unlink.run(id);
      });
      await expire(0);
    },
    expire: () => expire(clock()),
    removeDetached: () => expire(0),
    async removeUnboundOfTenant(tenantId) {
      await commits.write(() => unlinkOfTenant.run(tenantId));
      await expire(0);
    },
  };
}
