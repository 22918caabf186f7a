/**
 * What this page was opened with, from the fragment that a conversation comes with from another browser: no server is told
 * of it. It is taken out of the address at once, since it is for nobody's eyes or history. Of several widgets of a page it
 * is for the one with the key that it names.
 */
export function takeTransferToken(key: string): string | null {
  const [address, token] = location.href.split(`#parley:${key}:`);
  if (!token) return null;
  // The whole address: a path would be one of the page's base, which may be of another origin.
  history.replaceState(history.state, '', address);
  return token;
}
