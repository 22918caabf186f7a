/** The visitor whom a token names. Only told apart here; the service verifies. */
export function subjectOf(token: string): string {
  let sub: unknown;
  try {
    const body = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    ({ sub } = JSON.parse(atob(body)) as { sub?: unknown });
  } catch {
    // What a page's server says instead, such as that nobody is signed in.
  }
  if (typeof sub !== 'string')
    throw Error('Parley: identify takes a visitor token, as signVisitorToken makes it.');
  return sub;
}
