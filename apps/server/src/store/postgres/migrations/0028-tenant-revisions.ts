import { sql, type Kysely } from 'kysely';

const tables = ['agents', 'keys', 'tools', 'connections'];

const statements = [
  'CREATE TABLE tenant_revisions (tenant_id text COLLATE "C" PRIMARY KEY, revision bigint NOT NULL)',
  'CREATE INDEX tenant_revisions_latest ON tenant_revisions (revision)',
  'CREATE SEQUENCE tenant_revision',
  `CREATE FUNCTION note_tenant_revision() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO tenant_revisions (tenant_id, revision)
      VALUES (coalesce(NEW.tenant_id, OLD.tenant_id), nextval('tenant_revision'))
      ON CONFLICT (tenant_id) DO UPDATE SET revision = excluded.revision;
      RETURN NULL;
    END $$`,
  // At the end of the transaction: two that write records of one tenant never wait for each other crosswise.
  ...tables.map(
    (table) => `
      CREATE CONSTRAINT TRIGGER ${table}_revision AFTER INSERT OR UPDATE OR DELETE ON ${table}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_tenant_revision()`,
  ),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
