import { sql, type Kysely } from 'kysely';

// `COLLATE "C"`: lists are ordered by bytes, as in any other engine, whatever the database's locale.
const statements = [
  `CREATE TABLE tenants (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    created_at text COLLATE "C" NOT NULL
  )`,

  `CREATE TABLE agents (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants ON DELETE CASCADE,
    name text NOT NULL,
    active smallint NOT NULL,
    config text NOT NULL,
    credentials text,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX agents_of_tenant ON agents (tenant_id, created_at, id)',

  `CREATE TABLE keys (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants ON DELETE CASCADE,
    agent_id text COLLATE "C" REFERENCES agents ON DELETE SET NULL,
    kind text NOT NULL,
    label text,
    digest text COLLATE "C" NOT NULL UNIQUE,
    public_key text,
    last4 text NOT NULL,
    allowed_origins text NOT NULL,
    allow_missing_origin smallint NOT NULL,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX keys_of_tenant ON keys (tenant_id, created_at, id)',
  'CREATE INDEX keys_of_agent ON keys (agent_id)',

  `CREATE TABLE tools (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants ON DELETE CASCADE,
    agent_id text COLLATE "C" NOT NULL REFERENCES agents ON DELETE CASCADE,
    name text NOT NULL,
    config text NOT NULL,
    secrets text,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX tools_of_tenant ON tools (tenant_id)',
  'CREATE INDEX tools_of_agent ON tools (agent_id, created_at, id)',

  'CREATE TABLE secret_check (key integer PRIMARY KEY CHECK (key = 1), value text NOT NULL)',

  // Every commit changes a session's row. What is changed by all of them is in no index, and the page has room, so that
  // the new version stays beside the old one: hence the hour of the last activity, which is indexed in its place.
  `CREATE TABLE sessions (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    tenant_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    interface text NOT NULL,
    conversation_id text COLLATE "C",
    conversation_scope text COLLATE "C",
    visitor text COLLATE "C",
    status text NOT NULL DEFAULT 'open',
    next_index bigint NOT NULL DEFAULT 0,
    next_position bigint NOT NULL,
    owner text,
    epoch bigint NOT NULL,
    lease_until bigint NOT NULL,
    acquisition text,
    wake_at bigint,
    created_at bigint NOT NULL,
    active_at bigint NOT NULL,
    active_hour integer NOT NULL,
    file_bytes bigint NOT NULL DEFAULT 0,
    reserved bigint NOT NULL DEFAULT 0,
    reserved_scope text,
    reserved_window_ms bigint,
    reserved_window bigint,
    state text NOT NULL
  ) WITH (fillfactor = 70)`,
  `CREATE UNIQUE INDEX conversations ON sessions (agent_id, conversation_scope, conversation_id)
    WHERE conversation_id IS NOT NULL`,
  `CREATE INDEX open_sessions ON sessions (active_hour) WHERE status = 'open'`,
  `CREATE INDEX open_sessions_of_agent ON sessions (agent_id, active_hour) WHERE status = 'open'`,
  `CREATE INDEX ended_sessions ON sessions (agent_id, active_hour) WHERE status <> 'open'`,
  'CREATE INDEX held_sessions ON sessions (owner) WHERE owner IS NOT NULL',
  `CREATE INDEX waking_sessions ON sessions (wake_at) WHERE wake_at IS NOT NULL AND status = 'open'`,
  `CREATE INDEX removed_sessions ON sessions (key) WHERE status = 'removed'`,
  'CREATE INDEX sessions_of_tenant ON sessions (tenant_id)',
  `CREATE INDEX sessions_of_visitor ON sessions (agent_id, visitor, created_at, id) WHERE visitor IS NOT NULL`,

  // The tables of a session have no foreign key: checking it would cost a look-up for every event. A session's row is
  // locked before anything is added to it, and removed last.
  `CREATE TABLE events (
    session bigint NOT NULL,
    idx bigint NOT NULL,
    type text NOT NULL,
    data text,
    id text NOT NULL,
    at text NOT NULL,
    concealed smallint NOT NULL,
    item_id text,
    PRIMARY KEY (session, idx)
  )`,
  `CREATE INDEX step_starts ON events (session, idx) WHERE type = 'step.started'`,
  `CREATE INDEX input_requests ON events (session, idx) WHERE type = 'input.requested'`,

  `CREATE TABLE history (
    session bigint NOT NULL,
    position bigint NOT NULL,
    turn integer NOT NULL,
    message text NOT NULL,
    PRIMARY KEY (session, position)
  )`,
  'CREATE INDEX history_of_turn ON history (session, turn)',

  `CREATE TABLE call_results (
    session bigint NOT NULL,
    call_id text COLLATE "C" NOT NULL,
    result text NOT NULL,
    PRIMARY KEY (session, call_id)
  )`,

  `CREATE TABLE queue (
    session bigint NOT NULL,
    position bigint NOT NULL,
    id text NOT NULL,
    body text NOT NULL,
    accepted_at bigint NOT NULL,
    accepted_index bigint,
    reserved bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (session, position)
  )`,

  `CREATE TABLE idempotency (
    scope text COLLATE "C" PRIMARY KEY,
    session bigint NOT NULL,
    request text NOT NULL,
    result text NOT NULL,
    expires_at bigint NOT NULL
  )`,
  'CREATE INDEX idempotency_of_session ON idempotency (session)',
  'CREATE INDEX idempotency_by_expiry ON idempotency (expires_at)',

  `CREATE TABLE feedback (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session bigint NOT NULL,
    turn_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    rating text NOT NULL,
    comment text,
    at bigint NOT NULL,
    UNIQUE (session, turn_id)
  )`,
  'CREATE INDEX feedback_of_agent ON feedback (agent_id, key)',

  // A file outlives its session's row only until its chunks are removed, page by page: `expires_at` is 0 then.
  `CREATE TABLE files (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    tenant_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    visitor text COLLATE "C",
    session bigint,
    media_type text NOT NULL,
    filename text,
    size bigint NOT NULL,
    complete smallint NOT NULL,
    expires_at bigint NOT NULL
  )`,
  'CREATE INDEX files_of_session ON files (session) WHERE session IS NOT NULL',
  'CREATE INDEX unbound_files ON files (expires_at) WHERE session IS NULL',

  `CREATE TABLE file_chunks (
    file bigint NOT NULL REFERENCES files ON DELETE CASCADE,
    number integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (file, number)
  )`,
  // Files are compressed already, most of them.
  'ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL',

  `CREATE TABLE context_windows (
    agent_id text COLLATE "C" PRIMARY KEY REFERENCES agents ON DELETE CASCADE,
    model_id text NOT NULL,
    tokens bigint NOT NULL,
    expires_at bigint NOT NULL
  )`,

  `CREATE TABLE quotas (
    scope text COLLATE "C" NOT NULL,
    window_ms bigint NOT NULL,
    window_number bigint NOT NULL,
    used bigint NOT NULL,
    PRIMARY KEY (scope, window_ms)
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX quotas_by_end ON quotas (((window_number + 1) * window_ms))',

  `CREATE TABLE admissions (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scope text COLLATE "C" NOT NULL,
    window_ms bigint NOT NULL,
    at bigint NOT NULL,
    expires_at bigint NOT NULL
  )`,
  'CREATE INDEX admissions_by_scope ON admissions (scope, window_ms, at)',
  'CREATE INDEX admissions_by_expiry ON admissions (expires_at)',

  'CREATE TABLE health_probe (key integer PRIMARY KEY, probes bigint NOT NULL)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
