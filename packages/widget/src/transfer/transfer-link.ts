/**
 * The address of this page that another browser goes on at, for the widget with the same key: `take-transfer-token.ts`
 * reads it there. `name`: the conversation's, which ends with its key.
 */
export const transferLink = (name: string, token: string): string =>
  `${location.origin}${location.pathname}${location.search}#parley:${name.split(':').at(-1)}:${token}`;
