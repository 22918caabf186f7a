import type { Connection } from '@parley/client/connection';

/** A character has three bytes at most, and a body with `keepalive` 64 KiB. */
const maxCharacters = 20_000;

/**
 * The connection whose short requests arrive also after the page is left, as by a tool that navigates. Browsers refuse
 * them where all such bodies under way exceed 64 KiB: then they are sent as others are.
 */
export const keepAlive = (connection: Connection): Connection => ({
  ...connection,
  fetch(input, init) {
    const { fetch: send = fetch } = connection;
    const isShort = typeof init?.body === 'string' && init.body.length <= maxCharacters;
    return isShort
      ? send(input, { ...init, keepalive: true }).catch(() => send(input, init))
      : send(input, init);
  },
});
