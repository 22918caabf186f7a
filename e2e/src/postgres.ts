import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    postgresStarter: string;
  }
}

/** What servers need in their environment to share a new PostgreSQL database, which is there until the end of the run. */
export async function postgresEnvironment(): Promise<Record<string, string>> {
  const response = await fetch(`${inject('postgresStarter')}/database`);
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return { DATABASE_URL: answer, SECRET_KEY_BASE: 's'.repeat(48) };
}
