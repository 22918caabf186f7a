import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll } from 'vitest';

/** A server that takes every mail and keeps it, unless the options say otherwise, until the tests of the file are over. */
export async function openMailServer(
  options: SMTPServerOptions = {},
): Promise<{ readonly port: number; readonly received: readonly ParsedMail[] }> {
  const received: ParsedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    onData: (stream, _session, done) => {
      simpleParser(stream).then(
        (mail) => {
          received.push(mail);
          done();
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
    ...options,
  });
  // Without a listener the alert of a client that trusts no certificate would be an uncaught error.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  afterAll(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  return { port, received };
}
