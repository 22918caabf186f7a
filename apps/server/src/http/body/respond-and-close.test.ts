import { type Socket, connect } from 'node:net';
import { once } from 'node:events';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type SharedService, type TestAgent, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
let agent: TestAgent;
beforeAll(async () => {
  service = await sharedService();
  agent = await service.agent([{ steps: [{ say: 'ok' }] }]);
});

const mebibyte = 1024 * 1024;

interface Client {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  readonly answers: () => string;
  /** Resolves when so many answers have come in. */
  readonly answered: (count: number) => Promise<void>;
}

async function client(): Promise<Client> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  // A client that is cut off while it sends hears of it as an error.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  let answers = '';
  socket.on('data', (chunk) => (answers += String(chunk)));
  return {
    socket,
    closed,
    answers: () => answers,
    answered: async (count) => {
      while (answers.split('"requestId"').length <= count) {
        if (socket.destroyed) throw new Error(`Closed after: ${answers}`);
        await new Promise<void>((resolve) =>
          socket.once('data', () => resolve()).once('close', () => resolve()),
        );
      }
    },
  };
}

const head = (headers: string, key = agent.publishable.key) =>
  `POST /parley/v1/session HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${headers}\r\n\r\n`;

test('a declared length over the maximum is refused before a byte of the body, and the connection closed', async () => {
  const { socket, closed, answers, answered } = await client();
  socket.write(head(`content-length: ${100 * mebibyte}`));
  await answered(1);
  expect(answers()).toMatch(/^HTTP\/1.1 413 /);
  expect(answers()).toMatch(/connection: close/i);
  expect(answers()).toContain('A body has at most 17039360 bytes here, its files included.');
  await closed;
});

test('a body that never ends is refused while it is sent, and cut off', async () => {
  const { socket, closed, answers, answered } = await client();
  socket.write(head('transfer-encoding: chunked'));
  const piece = Buffer.alloc(64 * 1024, 'x');
  socket.write('7\r\n{"x": "\r\n');
  const send = () => {
    while (
      socket.writable &&
      socket.write(Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]))
    );
  };
  socket.on('drain', send);
  send();
  await answered(1);
  expect(answers()).toMatch(/^HTTP\/1.1 413 /);
  expect(answers()).toContain('A JSON body has at most 262144 bytes, the content of its files not counted.');
  await closed;
  expect(socket.bytesWritten).toBeLessThan(32 * mebibyte);
});

test('a client that sends all of its body before it reads finds the answer', async () => {
  const { socket, answers, answered } = await client();
  const body = `{"message":"x","more":"${'x'.repeat(2 * mebibyte)}"}`;
  socket.pause();
  await new Promise<void>((sent) => {
    socket.write(head(`content-length: ${body.length}`) + body, () => sent());
  });
  socket.resume();
  await answered(1);
  expect(answers()).toMatch(/^HTTP\/1.1 413 /);
});

test('a small body that nobody read costs no connection', async () => {
  const { socket, answers, answered } = await client();
  const body = '{"message":"hi"}';
  socket.write(head(`content-length: ${body.length}`, 'pk_live_nobody'));
  await answered(1);
  socket.write(body + head(`content-length: ${body.length}`, 'pk_live_nobody') + body);
  await answered(2);
  expect(answers().match(/HTTP\/1.1 401 /g)).toHaveLength(2);
  expect(answers()).not.toMatch(/connection: close/i);
});
