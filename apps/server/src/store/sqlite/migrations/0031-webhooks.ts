import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    name TEXT NOT NULL,
    active INTEGER NOT NULL,
    config TEXT NOT NULL,
    secrets TEXT,
    state TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX webhooks_of_tenant ON webhooks (tenant_id)',

  // No foreign key to webhooks: an event must not wait for, or fail with, the removal of one.
  `CREATE TABLE webhook_lanes (
    webhook_id TEXT NOT NULL,
    lane TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    held_until INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    PRIMARY KEY (webhook_id, lane)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX webhook_lanes_due ON webhook_lanes (webhook_id, due_at)',
  `CREATE TABLE webhook_deliveries (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    webhook_id TEXT NOT NULL,
    lane TEXT NOT NULL,
    session INTEGER REFERENCES sessions ON DELETE CASCADE,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    attempted_at INTEGER,
    http_status INTEGER,
    duration_ms INTEGER,
    response TEXT,
    problem TEXT
  ) STRICT`,
  `CREATE INDEX waiting_deliveries ON webhook_deliveries (webhook_id, lane, key) WHERE status = 'waiting'`,
  'CREATE INDEX deliveries_of_webhook ON webhook_deliveries (webhook_id, status, key)',
  `CREATE INDEX failed_deliveries ON webhook_deliveries (webhook_id, created_at, key) WHERE status = 'failed'`,
  'CREATE INDEX deliveries_of_session ON webhook_deliveries (session)',
  'CREATE INDEX deliveries_by_age ON webhook_deliveries (created_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
