import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { MailSettings } from '@parley/protocol/settings/mail-connection';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Mailer } from './mailer.ts';

test('a mail server that goes on and on is left after a minute', async () => {
  let greeted = () => {};
  const hello = new Promise<void>((resolve) => (greeted = resolve));
  let left = () => {};
  const gone = new Promise<void>((resolve) => (left = resolve));
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('close', left);
    socket.write('220 here\r\n');
    socket.once('data', () => {
      socket.write('250-and\r\n');
      greeted();
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { port } = server.address() as AddressInfo;
  const mailer = new Mailer({
    async openMailSocket() {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
  });
  const settings = { host: 'mail.example', port, security: 'none', user: '' } as MailSettings;
  const checked = mailer.check(settings);
  await hello;
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await checked).toEqual({
    message: 'The mail server did not answer in time.',
    denied: false,
    uncertain: true,
  });
  await vi.advanceTimersByTimeAsync(1_000);
  await gone;
});
