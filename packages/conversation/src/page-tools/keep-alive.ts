import type { Connection } from '@parley/client/connection';

/** Browsers refuse `keepalive` where all such bodies under way exceed 64 KiB; a character has three bytes at most. */
const maxCharacters = 20_000;

/** The connection whose short requests arrive also after the page is left, as by a tool that navigates. */
export const keepAlive = (connection: Connection): Connection => ({
  ...connection,
  fetch(input, init) {
    const { fetch: send = fetch } = connection;
    const isShort = typeof init?.body === 'string' && init.body.length <= maxCharacters;
    return send(input, { ...init, keepalive: isShort });
  },
});
