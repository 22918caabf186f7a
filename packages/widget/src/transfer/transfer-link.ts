/** The address of this page that another browser goes on at; `take-transfer-token.ts` reads it there. */
export const transferLink = (token: string): string =>
  `${location.origin}${location.pathname}${location.search}#parley:${token}`;
