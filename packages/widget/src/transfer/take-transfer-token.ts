/**
 * What this page was opened with, from the fragment that a conversation comes with from another browser: no server is told
 * of it. It is taken out of the address at once, since it is for nobody's eyes or history. Of several widgets of a page it
 * is for the one with the key that it names.
 */
export function takeTransferToken(key: string): string | null {
  const [, named, token] = location.hash.split(':');
  if (named !== key) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return token ?? null;
}
