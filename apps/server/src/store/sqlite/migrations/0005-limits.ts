import { sql, type Kysely } from 'kysely';

/** The defaults of earlier versions. They stand in every stored agent, whether or not anybody chose them. */
const formerDefaults = {
  sessionsPerMinute: 100_000,
  sessionsPerAddressPerMinute: 100_000,
  streamsPerSession: 10_000,
  tokensPerDay: 10_000_000_000,
};

const statements = [
  'ALTER TABLE sessions ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE sessions ADD COLUMN reserved_scope TEXT',
  'ALTER TABLE sessions ADD COLUMN reserved_window_ms INTEGER',
  'ALTER TABLE sessions ADD COLUMN reserved_window INTEGER',
  'ALTER TABLE queue ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0',

  // The new defaults hold where nobody chose another value.
  ...Object.entries(formerDefaults).map(
    ([name, value]) => `
      UPDATE agents SET config = json_remove(config, '$.limits.${name}')
      WHERE json_extract(config, '$.limits.${name}') = ${value}`,
  ),
  // A conversation has no longest length: the setting is gone.
  `UPDATE agents SET config = json_remove(config, '$.limits.turnsPerSession')
    WHERE json_type(config, '$.limits.turnsPerSession') IS NOT NULL`,

  // Tokens used today go on counting under the quota's present name.
  `UPDATE quotas SET scope = 'tokens:agent:' || substr(scope, length('tokens:') + 1) WHERE scope LIKE 'tokens:%'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
