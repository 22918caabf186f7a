import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,

  `CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    name TEXT NOT NULL,
    active INTEGER NOT NULL,
    config TEXT NOT NULL,
    credentials TEXT,
    created_at TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX agents_of_tenant ON agents (tenant_id)',

  `CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    agent_id TEXT REFERENCES agents ON DELETE SET NULL,
    kind TEXT NOT NULL,
    label TEXT,
    digest TEXT NOT NULL UNIQUE,
    public_key TEXT,
    last4 TEXT NOT NULL,
    allowed_origins TEXT NOT NULL,
    allow_missing_origin INTEGER NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX keys_of_tenant ON keys (tenant_id)',
  'CREATE INDEX keys_of_agent ON keys (agent_id)',

  `CREATE TABLE tools (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    agent_id TEXT NOT NULL REFERENCES agents ON DELETE CASCADE,
    name TEXT NOT NULL,
    config TEXT NOT NULL,
    secrets TEXT,
    created_at TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX tools_of_tenant ON tools (tenant_id)',
  'CREATE INDEX tools_of_agent ON tools (agent_id)',

  `CREATE TABLE sessions (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tenant_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    interface TEXT NOT NULL,
    conversation_id TEXT,
    status TEXT NOT NULL,
    next_index INTEGER NOT NULL,
    next_position INTEGER NOT NULL,
    owner TEXT,
    epoch INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    active_at INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT`,
  'CREATE UNIQUE INDEX conversations ON sessions (agent_id, conversation_id) WHERE conversation_id IS NOT NULL',
  `CREATE INDEX open_sessions ON sessions (agent_id, active_at) WHERE status = 'open'`,
  `CREATE INDEX ended_sessions ON sessions (agent_id, active_at) WHERE status <> 'open'`,
  'CREATE INDEX held_sessions ON sessions (owner) WHERE owner IS NOT NULL',
  'CREATE INDEX sessions_of_tenant ON sessions (tenant_id)',

  `CREATE TABLE events (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    idx INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    concealed INTEGER NOT NULL,
    item_id TEXT,
    PRIMARY KEY (session, idx)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX step_starts ON events (session, idx) WHERE type = 'step.started'`,

  `CREATE TABLE history (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    position INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (session, position)
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE queue (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    PRIMARY KEY (session, position)
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE files (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    media_type TEXT NOT NULL,
    filename TEXT,
    bytes BLOB NOT NULL
  ) STRICT`,
  'CREATE INDEX files_of_session ON files (session)',

  `CREATE TABLE quotas (
    scope TEXT NOT NULL,
    window_ms INTEGER NOT NULL,
    window INTEGER NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (scope, window_ms)
  ) STRICT`,
  'CREATE INDEX quotas_by_end ON quotas ((window + 1) * window_ms)',

  `CREATE TABLE idempotency (
    scope TEXT PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    request TEXT NOT NULL,
    answer TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX idempotency_of_session ON idempotency (session)',
  'CREATE INDEX idempotency_by_expiry ON idempotency (expires_at)',

  `CREATE TABLE admissions (
    key INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    window_ms INTEGER NOT NULL,
    at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX admissions_by_scope ON admissions (scope, window_ms, at)',
  'CREATE INDEX admissions_by_expiry ON admissions (expires_at)',

  'CREATE TABLE pulse (key INTEGER PRIMARY KEY, beats INTEGER NOT NULL) STRICT',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
