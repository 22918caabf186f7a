/**
 * What this page was opened with, from the fragment that a conversation comes with from another browser: no server is told
 * of it. It is taken out of the address at once, since it is for nobody's eyes or history.
 */
export function takeTransferToken(): string | null {
  const [, token] = /^#parley:([\w-]{16,64})$/.exec(location.hash) ?? [];
  if (token) history.replaceState(history.state, '', location.pathname + location.search);
  return token ?? null;
}
