import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE sources (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants ON DELETE CASCADE,
    agent_id text COLLATE "C" NOT NULL REFERENCES agents ON DELETE CASCADE,
    name text NOT NULL,
    kind text COLLATE "C" NOT NULL,
    config text NOT NULL,
    reading text NOT NULL,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX sources_of_tenant ON sources (tenant_id)',
  'CREATE INDEX sources_of_agent ON sources (agent_id, created_at, id)',
  'CREATE INDEX sources_of_kind ON sources (kind, created_at, id)',

  `CREATE TABLE source_claims (
    source_id text COLLATE "C" PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
    owner text NOT NULL,
    claimed_until bigint NOT NULL
  )`,

  `CREATE TABLE pages (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_id text COLLATE "C" NOT NULL REFERENCES sources ON DELETE CASCADE,
    agent_id text COLLATE "C" NOT NULL,
    place text COLLATE "C" NOT NULL,
    title text NOT NULL,
    address text,
    language text,
    version text,
    reading bigint NOT NULL,
    passages integer NOT NULL,
    terms integer NOT NULL,
    UNIQUE (source_id, place)
  )`,
  'CREATE INDEX pages_of_reading ON pages (source_id, reading)',
  'CREATE INDEX pages_of_agent ON pages (agent_id, passages, terms)',

  // The terms are made before they come here, with a space between two of them: the engine takes them as they are.
  `CREATE TABLE passages (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    page bigint NOT NULL REFERENCES pages ON DELETE CASCADE,
    position integer NOT NULL,
    title text NOT NULL,
    text text NOT NULL,
    terms text COLLATE "C" NOT NULL,
    term_vector tsvector NOT NULL GENERATED ALWAYS AS (array_to_tsvector(string_to_array(terms, ' '))) STORED,
    UNIQUE (page, position)
  )`,
  // What waits in a list to be sorted in would be read through by every search.
  'CREATE INDEX passage_terms ON passages USING gin (term_vector) WITH (fastupdate = off)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
