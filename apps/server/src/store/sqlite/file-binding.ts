import type { DatabaseSync } from 'node:sqlite';
import type { EnqueueRequest, EnqueueResult, FileBinding } from '../queue-store.ts';

export interface FileBindings {
  /** Why not all of these can become the session's, or null. `session` is null for one that is being opened. Writes nothing. */
  rejection(
    files: FileBinding,
    session: number | null,
    opening: EnqueueRequest['open'],
    now: number,
  ): Extract<EnqueueResult, { outcome: 'file-missing' | 'files-full' }> | null;
  bind(ids: readonly string[], session: number): void;
}

export function prepareFileBinding(connection: DatabaseSync): FileBindings {
  const owner = connection.prepare(
    'SELECT tenant_id AS tenantId, agent_id AS agentId, file_bytes AS fileBytes FROM sessions WHERE key = ?',
  );
  const addedBytes = connection.prepare(`
    SELECT iif(session IS NULL, size, 0) AS size FROM files
    WHERE id = ? AND (session IS NULL AND expires_at > ? OR session = ?) AND complete = 1
      AND tenant_id = ? AND agent_id = ? AND visitor IS ?`);
  const bind = connection.prepare(`
    UPDATE files SET session = ?, expires_at = 0 WHERE id = ? AND session IS NULL RETURNING size`);
  const addBytes = connection.prepare('UPDATE sessions SET file_bytes = file_bytes + ? WHERE key = ?');

  return {
    rejection({ ids, visitor, maxSessionBytes, again }, session, opening, now) {
      const existing = session === null ? undefined : owner.get(session);
      const { tenantId, agentId } = (existing ?? opening) as { tenantId: string; agentId: string };
      let total = Number(existing?.['fileBytes'] ?? 0);
      if (new Set(ids).size < ids.length) return { outcome: 'file-missing' };
      for (const id of ids) {
        const file = addedBytes.get(id, now, again ? session : null, tenantId, agentId, visitor);
        if (file === undefined) return { outcome: 'file-missing' };
        total += Number(file['size']);
      }
      return total > maxSessionBytes ? { outcome: 'files-full' } : null;
    },
    bind(ids, session) {
      let added = 0;
      for (const id of ids) added += Number(bind.get(session, id)?.['size'] ?? 0);
      addBytes.run(added, session);
    },
  };
}
