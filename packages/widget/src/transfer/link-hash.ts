/** Begins the fragment of a page's address by which a conversation comes from another browser: no server is told of it. */
const mark = '#parley:';

/** The address of this page that another browser goes on at. */
export const transferLink = (token: string): string =>
  `${location.origin}${location.pathname}${location.search}${mark}${token}`;

/** What this page was opened with, taken out of its address at once: it is for nobody's eyes or history. */
export function takeTransferToken(): string | null {
  const [, token] = /^#parley:([\w-]{16,64})$/.exec(location.hash) ?? [];
  if (token) history.replaceState(history.state, '', location.pathname + location.search);
  return token ?? null;
}
