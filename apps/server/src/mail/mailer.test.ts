import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type MailSettings, mailSettingsSchema } from '@parley/protocol/settings/mail-connection';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEgress } from '../egress/egress.ts';
import { installPackage } from '../testing/install-package.ts';
import { openMailServer } from '../testing/mail-server.ts';
import { testFolder } from '../testing/test-service.ts';
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
  });
  await vi.advanceTimersByTimeAsync(1_000);
  await gone;
});

test('a mail server that says more than there is to say is left, and holds nothing up', async () => {
  const said = Buffer.alloc(1_048_576, '\n');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 here\r\n');
    const goOn = () => void (socket.write(said) && setImmediate(goOn));
    socket.once('data', goOn).on('drain', goOn);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const egress = createEgress({ allow: [`127.0.0.1:${port}`] });
  onTestFinished(() => egress.close());
  const settings = { host: '127.0.0.1', port, security: 'none', user: '' } as MailSettings;
  expect(await new Mailer(egress).check(settings)).toEqual({
    message: 'The mail server answered with more than 64 kB.',
    denied: false,
  });
});

/** Every name leads to this machine. */
function localEgress() {
  const egress = createEgress({
    allow: ['127.0.0.1/32'],
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });
  onTestFinished(() => egress.close());
  return egress;
}

/** A certificate for mail.example, which this process trusts until the test is over. */
function trustedCertificate(): { readonly key: string; readonly cert: string } {
  const folder = testFolder();
  const [key, cert] = ['key.pem', 'certificate.pem'].map((name) => join(folder, name)) as [string, string];
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    key,
    '-out',
    cert,
  ];
  const named = ['-subj', '/CN=mail.example', '-addext', 'subjectAltName=DNS:mail.example'];
  if (spawnSync('openssl', ['version']).status !== 0) installPackage('openssl');
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...made, ...named], { stdio: 'pipe' });
  const before = getCACertificates();
  onTestFinished(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, readFileSync(cert, 'utf8')]);
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

test.each(['tls', 'starttls'] as const)(
  'a mail of any length is handed over by %s, and no password to a server of another name',
  async (security) => {
    const passwords: unknown[] = [];
    const secure = security === 'tls';
    const { port, received } = await openMailServer({
      ...trustedCertificate(),
      secure,
      onAuth({ password }, _session, done) {
        passwords.push(password);
        done(null, { user: 'desk' });
      },
    });
    const mailer = new Mailer(localEgress());
    const text = 'Some words. '.repeat(50_000);
    const mail = { to: 'ada@example.com', subject: 'Hello', text, id: 'one' };
    const send = (host: string) => {
      const settings = mailSettingsSchema.parse({
        id: 'connection_1',
        agentId: 'agent_1',
        kind: 'mail',
        name: 'desk',
        createdAt: '2026-01-01T00:00:00.000Z',
        host,
        port,
        security,
        user: 'desk',
        password: 'secret',
        from: 'desk@example.com',
        recipients: ['*'],
      });
      return mailer.send(settings, mail);
    };
    expect(await send('mail.example')).toBeNull();
    expect(received.map((mail) => mail.text?.trim())).toEqual([text.trim()]);
    const message = 'The certificate is for another name.';
    expect(await send('other.example')).toEqual({ message, denied: false });
    expect([passwords, received.length]).toEqual([['secret'], 1]);
  },
);

test('what a mail server says over TLS has an end, too', async () => {
  const banner = 'x'.repeat(100_000);
  const { port } = await openMailServer({ ...trustedCertificate(), secure: true, banner });
  const settings = { host: 'mail.example', port, security: 'tls', user: '' } as MailSettings;
  expect(await new Mailer(localEgress()).check(settings)).toEqual({
    message: 'The mail server answered with more than 64 kB.',
    denied: false,
  });
});

test('a mail may have been taken once its server was given the text, and not before', async () => {
  const sent = async (leavesAt: 'greeting' | 'data' | 'end') => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      if (leavesAt === 'greeting') return void socket.end();
      socket.write('220 here\r\n');
      let text = '';
      let isText = false;
      socket.on('data', (chunk) => {
        text += String(chunk);
        if (isText) return text.endsWith('\r\n.\r\n') ? socket.end() : undefined;
        isText = text.endsWith('DATA\r\n');
        if (isText && leavesAt === 'data') return socket.end();
        return socket.write(isText ? '354 go on\r\n' : '250 fine\r\n');
      });
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const egress = createEgress({ allow: [`127.0.0.1:${port}`] });
    onTestFinished(() => egress.close());
    const settings = { host: '127.0.0.1', port, security: 'none', user: '', fromName: 'Desk' };
    return new Mailer(egress).send(
      { ...settings, from: 'desk@example.com', recipients: ['*'] } as unknown as MailSettings,
      { to: 'ada@example.com', subject: 'Hello', text: 'There.', id: 'one' },
    );
  };
  const problem = { denied: false, message: expect.any(String) };
  expect(await sent('greeting')).toEqual(problem);
  expect(await sent('data')).toEqual(problem);
  expect(await sent('end')).toEqual({ ...problem, uncertain: true });
});

test('a mail server whose name leads to a private address by now is sent nothing', async () => {
  const { port, received } = await openMailServer();
  let address = '127.0.0.1';
  const egress = createEgress({
    allow: ['127.0.0.1/32'],
    resolve: () => Promise.resolve([{ address, family: 4 }]),
  });
  onTestFinished(() => egress.close());
  const mailer = new Mailer(egress);
  const server = { host: 'smtp.example.com', port, security: 'none', user: '', fromName: 'Desk' };
  const settings = { ...server, from: 'desk@example.com', recipients: ['*'] } as MailSettings;
  const send = (id: string) => mailer.send(settings, { to: 'ada@example.com', subject: id, text: '.', id });
  expect([await mailer.check(settings), await send('before')]).toEqual([null, null]);
  for (const moved of ['10.0.0.1', '169.254.169.254', '127.0.0.2']) {
    address = moved;
    const denied = {
      denied: true,
      message: expect.stringMatching(/not on the public internet|not open/),
      explanation: expect.stringContaining(`EGRESS_ALLOW=smtp.example.com:${port};`),
    };
    expect([await mailer.check(settings), await send(moved)], moved).toEqual([denied, denied]);
  }
  expect(received.map(({ subject }) => subject)).toEqual(['before']);
});
