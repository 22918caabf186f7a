import { expect, test } from 'vitest';
import { serve } from '../testing/serve.ts';
import { createChat } from './chat.ts';
import type { Connection } from './connection.ts';
import { deleteSession } from './delete-session.ts';
import { identifySession } from './identify-session.ts';
import { rateTurn } from './rate-turn.ts';

const session = { sessionId: 's1', continuationToken: 't1' };
const actions: readonly (readonly [string, (connection: Connection) => Promise<unknown>])[] = [
  ['session is deleted', (connection) => deleteSession(connection, session)],
  ['conversation is deleted', (connection) => createChat(connection).delete('c1')],
  ['session has a visitor', (connection) => identifySession(connection, session)],
  ['turn is rated', (connection) => rateTurn(connection, 's1', { turnId: 'turn_0', rating: 'up' })],
];

test.for(actions)('no %s where a page of something in between answers', async ([, act]) => {
  const connection = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Please sign in</h1>');
  });
  await expect(act(connection)).rejects.toMatchObject({ name: 'ParleyError', code: 'PROTOCOL' });
});

test.for(actions)('no %s where the answer breaks off', async ([, act]) => {
  const connection = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"ok":', () => response.destroy());
  });
  await expect(act(connection)).rejects.toMatchObject({ name: 'ParleyError', code: 'NETWORK' });
});
