import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE webhooks (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants ON DELETE CASCADE,
    name text NOT NULL,
    active smallint NOT NULL,
    config text NOT NULL,
    secrets text,
    state text NOT NULL,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX webhooks_of_tenant ON webhooks (tenant_id)',

  // No foreign key to webhooks: an event must not wait for, or fail with, the removal of one.
  `CREATE TABLE webhook_lanes (
    webhook_id text COLLATE "C" NOT NULL,
    lane text COLLATE "C" NOT NULL,
    due_at bigint NOT NULL,
    held_until bigint NOT NULL,
    epoch bigint NOT NULL,
    changes bigint NOT NULL,
    PRIMARY KEY (webhook_id, lane)
  )`,
  'CREATE INDEX webhook_lanes_due ON webhook_lanes (webhook_id, due_at)',
  `CREATE TABLE webhook_deliveries (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    webhook_id text COLLATE "C" NOT NULL,
    lane text COLLATE "C" NOT NULL,
    session bigint,
    event_id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    body text NOT NULL,
    status text COLLATE "C" NOT NULL,
    attempts integer NOT NULL,
    created_at bigint NOT NULL,
    attempted_at bigint,
    http_status integer,
    duration_ms bigint,
    response text,
    problem text
  )`,
  `CREATE INDEX waiting_deliveries ON webhook_deliveries (webhook_id, lane, key) WHERE status = 'waiting'`,
  'CREATE INDEX deliveries_of_webhook ON webhook_deliveries (webhook_id, status, key)',
  `CREATE INDEX failed_deliveries ON webhook_deliveries (webhook_id, created_at, key) WHERE status = 'failed'`,
  'CREATE INDEX deliveries_of_session ON webhook_deliveries (session)',
  'CREATE INDEX deliveries_by_age ON webhook_deliveries (created_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
