import type { Request } from 'express';

/** Under which of its names a browser has reached the service; a name that is not its own counts as the first. */
export function ownOrigin(
  { protocol, headers }: Pick<Request, 'protocol' | 'headers'>,
  { ownOrigins, consoleOrigin }: { readonly ownOrigins: ReadonlySet<string>; readonly consoleOrigin: string },
): string {
  const reached = `${protocol}://${headers.host}`;
  return ownOrigins.has(reached) ? reached : consoleOrigin;
}
