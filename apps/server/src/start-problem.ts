import { ConfigError } from './config.ts';
import { SchemaError } from './store/schema-error.ts';
import { DatabaseInUseError } from './store/sqlite/file-owner.ts';
import { StoreUnavailableError } from './store/store-error.ts';
import { UnfinishedMoveError } from './store/unfinished-move-error.ts';

const unreachable = 'DATABASE_URL: no PostgreSQL answers there. Start it, or correct the address.';
const unwritable =
  'DATABASE_URL: no database can be kept there. Name a file in a folder that this user may write to.';
const broken =
  'The disk of the database fails. Look at it, and restore a backup on another one where something is lost.';
const full = 'The disk of the database is full. Make room, or name a file on a larger disk in DATABASE_URL.';

/** What the operator has to do, by the code of the error: of the system, of PostgreSQL (SQLSTATE), or of SQLite. */
const sentences: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT: another program listens there already. Choose another, such as PORT=3010.',
  EADDRNOTAVAIL: 'HOST: this machine has no such address.',
  EACCES: 'This user may not do that: use a PORT from 1024 on, and a folder that it may write to.',
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  EAI_AGAIN: unreachable,
  ECONNRESET: unreachable,
  '57P03': 'DATABASE_URL: PostgreSQL is starting or stopping. Try again once it is there.',
  53300:
    'DATABASE_URL: PostgreSQL takes no more connections. Raise its max_connections: a process has 11 of them.',
  '28P01': 'DATABASE_URL: PostgreSQL does not know this user with this password.',
  '28000': 'DATABASE_URL: PostgreSQL does not let this user in from here.',
  42501:
    'DATABASE_URL: PostgreSQL does not let this user make what is kept there. Let it be the owner of the database.',
  '3D000': 'DATABASE_URL: PostgreSQL has no database of this name. Create it, or correct the address.',
  EPERM: unwritable,
  EROFS: unwritable,
  ENOTDIR: unwritable,
  EEXIST: unwritable,
  ENOSPC: full,
  EIO: broken,
  EISDIR: 'DATABASE_URL: a folder is no database. Name a file in it, such as file:./data/parley.db.',
  8: unwritable,
  10: broken,
  11: 'DATABASE_URL: the database is damaged. Move it away and restore a backup.',
  13: full,
  14: 'DATABASE_URL: the file cannot be opened. Name one in a folder that this user may write to.',
  26: 'DATABASE_URL: the file is no SQLite database. Name another.',
};

const noPassword =
  'DATABASE_URL: PostgreSQL asks for a password. Name it in the address, or in the variable PGPASSWORD.';

/** What no other start mends, by the code of the error. Whatever else is wrong may be over by then. */
const permanent: readonly string[] = ['EISDIR', '11', '26'];
/** EX_CONFIG of sysexits.h. */
const configExitCode = 78;

/** What the process ends with: `configExitCode` where another start would end as this one until its operator has changed something. */
export function exitCode(error: unknown): number {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const needsOperator = cause instanceof ConfigError || cause instanceof SchemaError;
    if (needsOperator || permanent.includes(codeOf(cause))) return configExitCode;
  }
  return 1;
}

/**
 * Why the service could not start, in a sentence for its operator; null for what only a developer can mend. `database` is
 * where the operator has named the database.
 */
export function startProblem(error: unknown, database = 'DATABASE_URL'): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (
      [ConfigError, DatabaseInUseError, SchemaError, UnfinishedMoveError].some(
        (type) => cause instanceof type,
      )
    )
      return cause.message;
    // The client, which has nothing to answer with, gives it no code.
    const sentence = /client password must be/.test(cause.message) ? noPassword : sentences[codeOf(cause)];
    if (sentence !== undefined)
      return `${sentence.replaceAll('DATABASE_URL', database)} (${messageOf(cause)})`;
  }
  // What no code tells: nothing came back in time, or no word that was expected.
  return error instanceof StoreUnavailableError ? `${database}: ${error.message}` : null;
}

/** SQLite says in the lower eight bits what it is, and above them which kind of it. */
function codeOf(error: Error): string {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return String(typeof errcode === 'number' ? errcode % 256 : code);
}

/** Of a name with several addresses, such as localhost, each is tried, and only those errors have a message. */
function messageOf(error: Error): string {
  if (!(error instanceof AggregateError) || error.message !== '') return error.message;
  return error.errors.map((each) => (each instanceof Error ? each.message : String(each))).join(', ');
}
