import type { Connection } from '@parley/client/connection';

/** The address of a file at the service this widget talks to; none for a file that is elsewhere. */
export function ownAddress({ baseUrl }: Connection, url: string | undefined): string | undefined {
  const [path] = /\/[\w-]+\/v1\/file\/[\w-]+$/.exec(url ?? '') ?? [];
  return path && baseUrl + path;
}
