import type { EventRow } from '../event-row.ts';
import type { Lease } from '../lease-store.ts';
import { LeaseLostError, StoreUnavailableError } from '../store-error.ts';
import { clockValue } from './clock.ts';
import type { Database } from './database.ts';

/** Batches on their way at once: while one is written the next one fills. */
const maxInFlight = 2;
/** Bytes of events that one batch has at most, or one commit that alone has more. */
const maxBatchBytes = 1024 * 1024;

interface Append {
  readonly lease: Lease;
  readonly rows: readonly EventRow[];
  readonly bytes: number;
  readonly settle: { resolve(firstIndex: number): void; reject(error: unknown): void };
}

/**
 * Commits that add events and nothing else, those of many sessions in one statement: the deltas of all streams come with
 * the same tick. A session whose lease is lost takes nothing from the others. Whatever locks several sessions does so by
 * their keys, so that no two wait for one another.
 */
export function createAppendBatch({
  query,
  now,
}: Database): (lease: Lease, rows: readonly EventRow[]) => Promise<number> {
  const append = `
    WITH held AS (
      SELECT key, size, n
      FROM unnest($2::text[], $3::bigint[], $4::integer[]) WITH ORDINALITY AS batch (id, epoch, size, n)
      JOIN sessions ON sessions.id = batch.id AND sessions.epoch = batch.epoch AND owner IS NOT NULL
      ORDER BY key FOR NO KEY UPDATE OF sessions
    ), advanced AS (
      UPDATE sessions SET
        next_index = next_index + size,
        active_at = greatest(active_at, ${clockValue('$1')}),
        active_hour = greatest(active_at, ${clockValue('$1')}) / 3600000
      FROM held WHERE sessions.key = held.key
      RETURNING n, sessions.key, next_index - size AS first
    ), added AS (
      INSERT INTO events (session, idx, type, data, id, at, concealed, item_id)
      SELECT key, first + place, type, data, id, at, concealed, item_id
      FROM unnest($5::integer[], $6::integer[], $7::text[], $8::text[], $9::text[], $10::text[], $11::smallint[],
        $12::text[]) AS e (of, place, type, data, id, at, concealed, item_id)
      JOIN advanced ON n = of
    )
    SELECT n, first FROM advanced`;
  let waiting: Append[] = [];
  let scheduled = false;
  let inFlight = 0;

  async function write(batch: readonly Append[]): Promise<void> {
    const rows = batch.flatMap((entry) => entry.rows);
    const written = await query(append, [
      now(),
      batch.map(({ lease }) => lease.sessionId),
      batch.map(({ lease }) => lease.epoch),
      batch.map((entry) => entry.rows.length),
      batch.flatMap((entry, index) => entry.rows.map(() => index + 1)),
      batch.flatMap((entry) => entry.rows.map((_, place) => place)),
      rows.map(({ type }) => type),
      rows.map(({ data }) => data),
      rows.map(({ id }) => id),
      rows.map(({ at }) => at),
      rows.map(({ concealed }) => concealed),
      rows.map(({ itemId }) => itemId),
    ]);
    const firsts = new Map(written.map(({ n, first }) => [Number(n), Number(first)]));
    for (const [index, { lease, settle }] of batch.entries()) {
      const first = firsts.get(index + 1);
      if (first === undefined)
        settle.reject(new LeaseLostError(`Somebody else runs session ${lease.sessionId}`));
      else settle.resolve(first);
    }
  }

  async function send(batch: readonly Append[]): Promise<void> {
    inFlight += 1;
    try {
      await write(batch);
    } catch (error) {
      // One that cannot be written must not take the others along. What may have been written is not written again.
      const alone = batch.length > 1 && !(error instanceof StoreUnavailableError && !isRolledBack(error));
      if (alone) for (const entry of batch) await send([entry]);
      else for (const { settle } of batch) settle.reject(error);
    } finally {
      inFlight -= 1;
      flush();
    }
  }

  function flush(): void {
    scheduled = false;
    while (waiting.length > 0 && inFlight < maxInFlight) {
      const batch: Append[] = [];
      const later: Append[] = [];
      const sessions = new Set<string>();
      let bytes = 0;
      for (const entry of waiting) {
        const fits = batch.length === 0 || bytes + entry.bytes <= maxBatchBytes;
        if (fits && !sessions.has(entry.lease.sessionId)) {
          batch.push(entry);
          bytes += entry.bytes;
        } else {
          later.push(entry);
        }
        // Also of one that is left for later: those after it must not overtake it.
        sessions.add(entry.lease.sessionId);
      }
      waiting = later;
      void send(batch);
    }
  }

  return (lease, rows) =>
    new Promise((resolve, reject) => {
      const bytes = rows.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
      waiting.push({ lease, rows, bytes, settle: { resolve, reject } });
      if (scheduled || inFlight >= maxInFlight) return;
      scheduled = true;
      setImmediate(flush);
    });
}

/** The server itself rejected the statement: nothing of it was committed. */
function isRolledBack({ cause }: StoreUnavailableError): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === '40P01';
}
