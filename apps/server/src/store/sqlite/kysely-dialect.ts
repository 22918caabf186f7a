import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect } from 'kysely';

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

/** Kysely on a `node:sqlite` connection, each distinct statement prepared once. */
export function nodeSqliteDialect(connection: DatabaseSync): SqliteDialect {
  const prepared = new Map<string, StatementSync>();
  return new NodeSqliteDialect({
    database: {
      close: () => connection.close(),
      prepare(sql) {
        const statement = prepared.get(sql) ?? connection.prepare(sql);
        prepared.set(sql, statement);
        const bound = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...bound(parameters)),
          run: (parameters) => statement.run(...bound(parameters)),
          iterate: (parameters) => statement.iterate(...bound(parameters)),
        };
      },
    },
  });
}
