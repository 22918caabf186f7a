import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { serverTimeouts } from './connection/server-timeouts.ts';
import { openListener } from './listener.ts';

test('a listener that drains takes nobody new after a while, and what is open goes on', async () => {
  const config = readConfig({ DATABASE_URL: 'file:unused.db', PORT: '0' });
  const listener = await openListener(config, serverTimeouts, createLogger('silent'));
  onTestFinished(() => listener.close());
  const { promise: begun, resolve } = Promise.withResolvers<ServerResponse>();
  listener.serve((_request, response) => {
    response.write('Begun, ');
    resolve(response);
  }, Promise.resolve());
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const open = await fetch(listener.url);

  const knock = async () => {
    const socket = connect(listener.port, '127.0.0.1');
    const met = await once(socket, 'connect').then(
      () => 'taken',
      () => 'refused',
    );
    socket.destroy();
    return met;
  };
  listener.drain();
  expect(await knock()).toBe('taken');
  await expect.poll(knock, { timeout: 5_000, interval: 100 }).toBe('refused');
  (await begun).end('and done.');
  expect(await open.text()).toBe('Begun, and done.');
});

test('a request that comes while the service still starts is answered once it is there', async () => {
  const config = readConfig({ DATABASE_URL: 'file:unused.db', PORT: '0' });
  const listener = await openListener(config, serverTimeouts, createLogger('silent'));
  onTestFinished(() => listener.close());
  const socket = connect(listener.port, '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (text: string) => (answer += text));
  // Node says so in the moment in which it hands the request on.
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n\r\n');
  await expect.poll(() => answer).toContain('100 Continue');
  listener.serve((_request, response) => void response.end('Here.'), Promise.resolve());
  await expect.poll(() => answer).toContain('Here.');
});
