import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, databaseFile, postgresUrl } from './config.ts';
import { MoveError } from './store/move/move-error.ts';
import { moveDatabase } from './store/move/move-database.ts';

const usage = 'move-database --from file:<path> --to postgres://<user>:<password>@<host>:<port>/<database>';

try {
  const { from, to } = readArguments();
  const report = (line: string) => void process.stdout.write(`${line}\n`);
  await moveDatabase({ from, to, report });
  report('Moved. Start the service with DATABASE_URL as given to --to.');
  for (const [variable, file] of [
    ['SECRET_KEY_BASE', `${from}.secret-key-base`],
    ['ADMIN_TOKEN', `${from}.admin-token`],
  ] as const)
    if (existsSync(file)) report(`${variable} is what ${file} holds, unless it was set.`);
} catch (error) {
  if (!isForOperator(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function readArguments(): { readonly from: string; readonly to: string } {
  try {
    const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } });
    return { from: databaseFile(values.from ?? ''), to: postgresUrl(values.to ?? '') };
  } catch (cause) {
    throw new ConfigError(`${(cause as Error).message}\nUsage: ${usage}`, { cause });
  }
}

/** Whether the message says all that the operator needs: also what the network or PostgreSQL says of the connection. */
function isForOperator(error: unknown): error is Error {
  if (error instanceof ConfigError || error instanceof MoveError) return true;
  return (
    error instanceof Error && 'code' in error && /^(?:E[A-Z]+|08...|28...|3D000)$/.test(String(error.code))
  );
}
