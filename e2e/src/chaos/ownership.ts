import type { PostgresDatabase } from '../postgres-database.ts';
import type { Fault, FaultKind } from './process-group.ts';

/** What the database notes by itself of who holds a session and who writes to it. */
const watching = `
  CREATE SCHEMA chaos;
  CREATE TABLE chaos.owners (owner text PRIMARY KEY, process text NOT NULL);
  CREATE TABLE chaos.holders (session bigint PRIMARY KEY, process text NOT NULL);
  CREATE TABLE chaos.take_overs (number bigint GENERATED ALWAYS AS IDENTITY, session bigint NOT NULL, from_owner text NOT NULL, next_index bigint NOT NULL, queued boolean NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE TABLE chaos.late_writes (session bigint NOT NULL, holder text NOT NULL, writer text NOT NULL);

  CREATE FUNCTION chaos.acquired() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE v_process text := current_setting('application_name');
  BEGIN
    INSERT INTO chaos.owners VALUES (NEW.owner, v_process) ON CONFLICT DO NOTHING;
    INSERT INTO chaos.holders VALUES (NEW.key, v_process)
      ON CONFLICT (session) DO UPDATE SET process = excluded.process;
    IF TG_OP = 'UPDATE' AND OLD.owner IS NOT NULL THEN
      INSERT INTO chaos.take_overs (session, from_owner, next_index, queued) VALUES (NEW.key, OLD.owner, NEW.next_index,
        EXISTS (SELECT FROM queue WHERE session = NEW.key));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER chaos_opened AFTER INSERT ON sessions FOR EACH ROW
    WHEN (NEW.owner <> '') EXECUTE FUNCTION chaos.acquired();
  CREATE TRIGGER chaos_acquired AFTER UPDATE ON sessions FOR EACH ROW
    WHEN (NEW.owner <> '' AND NEW.owner IS DISTINCT FROM OLD.owner) EXECUTE FUNCTION chaos.acquired();

  CREATE FUNCTION chaos.written() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO chaos.late_writes
      SELECT sessions.key, holders.process, current_setting('application_name')
      FROM (SELECT DISTINCT session FROM added) AS a
      JOIN sessions ON sessions.key = a.session JOIN chaos.holders ON holders.session = a.session
      WHERE sessions.status = 'open' AND holders.process <> current_setting('application_name');
    RETURN NULL;
  END $$;
  CREATE TRIGGER chaos_written AFTER INSERT ON events REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION chaos.written();`;

export interface TakeOver {
  /** What had happened to the owner; null: nothing that this run did. */
  readonly kind: FaultKind | null;
  /** From then to the lease of another process; null without a fault. */
  readonly takenMs: number | null;
  /** From then to the next event of the session, which another process wrote; null without a fault. */
  readonly ms: number | null;
}

export async function watchOwnership(database: PostgresDatabase): Promise<void> {
  await database.query(watching);
}

/** Sessions to which somebody wrote while somebody else held them. */
export async function lateWrites(
  database: PostgresDatabase,
): Promise<{ invariant: 'late owner'; detail: string }[]> {
  const rows = await database.query<{ id: string; holder: string; writer: string }>(
    'SELECT id, holder, writer FROM chaos.late_writes JOIN sessions ON sessions.key = session',
  );
  return rows.map(({ id, holder, writer }) => ({
    invariant: 'late owner',
    detail: `${writer} wrote to ${id}, which ${holder} held.`,
  }));
}

/**
 * Every session that one process took from another with something left to do; where several took it one after the other
 * before anything was written, the last one.
 */
export async function takeOvers(
  database: PostgresDatabase,
  faults: readonly Fault[],
): Promise<readonly TakeOver[]> {
  const rows = await database.query<{ process: string; at: string; taken: string }>(`
    SELECT o.process, e.at, extract(epoch FROM t.at) * 1000 AS taken FROM chaos.take_overs AS t
    JOIN chaos.owners AS o ON o.owner = t.from_owner
    JOIN events AS e ON e.session = t.session AND e.idx = t.next_index
    WHERE NOT EXISTS (
      SELECT FROM chaos.take_overs AS l
      WHERE l.session = t.session AND l.next_index = t.next_index AND l.number > t.number
    ) AND (t.queued OR 'turn.started' = (
      SELECT b.type FROM events AS b WHERE b.session = t.session AND b.idx < t.next_index
        AND b.type IN ('turn.started', 'turn.completed', 'turn.failed', 'turn.cancelled')
      ORDER BY b.idx DESC LIMIT 1))`);
  return rows.map(({ process, at, taken }) => {
    const written = Date.parse(at);
    const fault = faults.findLast((known) => known.process === process && known.at <= Number(taken));
    return fault
      ? { kind: fault.kind, takenMs: Math.round(Number(taken) - fault.at), ms: written - fault.at }
      : { kind: null, takenMs: null, ms: null };
  });
}
