import { accessSync, constants, existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { clockFinding } from './clock.ts';
import { connectPostgres } from './connect-postgres.ts';
import type { Finding } from './finding.ts';

const leastFreeBytes = 1_000_000_000;

/** The disk of the embedded database, or PostgreSQL and its clock. */
export async function checkDatabase({ postgresUrl, databaseFile }: Config): Promise<Finding[]> {
  return postgresUrl === undefined
    ? await checkDisk(resolve(databaseFile))
    : await checkPostgres(postgresUrl);
}

async function checkDisk(file: string): Promise<Finding[]> {
  let folder = dirname(file);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return [
      { text: `This user may not write to ${folder}.`, mend: `chown -R "$(id -un)" '${folder}'   # as root` },
    ];
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${folder} has ${(free / 1_000_000_000).toFixed(1)} GB free.`;
  return [
    free < leastFreeBytes
      ? { text, mend: 'Make room, or name a file on a larger disk in DATABASE_URL.' }
      : { text },
  ];
}

async function checkPostgres(url: string): Promise<Finding[]> {
  try {
    const client = await connectPostgres(url);
    try {
      const { rows } = await client.query<{ now: string; version: string }>(
        `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now, current_setting('server_version') AS version`,
      );
      return [
        { text: `PostgreSQL ${String(rows[0]?.version)} answers.` },
        clockFinding('PostgreSQL', Number(rows[0]?.now)),
      ];
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (error) {
    return [
      {
        text: `PostgreSQL does not answer: ${error instanceof Error ? error.message : String(error)}`,
        mend: 'psql "$DATABASE_URL" -c "SELECT 1"   # until it says 1',
      },
    ];
  }
}
