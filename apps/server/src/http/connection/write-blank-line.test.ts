import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { writeBlankLine } from './write-blank-line.ts';

/** What a client that says `head` gets of a response, head and framing included. */
async function received(head: string, respond: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => {
    response.sendDate = false;
    respond(response);
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`GET / ${head}\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  return text(socket);
}

const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

test('a blank line is a chunk of its own, between what is written before and after it', async () => {
  const answer = await received('HTTP/1.1', (response) => {
    response.write('{"first":1}\n');
    setImmediate(() => {
      writeBlankLine(response);
      response.end('{"second":2}\n');
    });
  });
  expect(bodyOf(answer)).toBe('c\r\n{"first":1}\n\r\n1\r\n\n\r\nd\r\n{"second":2}\n\r\n0\r\n\r\n');
});

test('a client of HTTP/1.0 gets the line without a chunk around it', async () => {
  const answer = await received('HTTP/1.0', (response) => {
    response.write('{"first":1}\n');
    setImmediate(() => {
      writeBlankLine(response);
      response.end();
    });
  });
  expect(bodyOf(answer)).toBe('{"first":1}\n\n');
});

test('a blank line that comes first takes the head along', async () => {
  const answer = await received('HTTP/1.1', (response) => {
    writeBlankLine(response);
    setImmediate(() => response.end());
  });
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(bodyOf(answer)).toBe('1\r\n\n\r\n0\r\n\r\n');
});

test('nothing is added to what waits for its reader, nor to what is over', async () => {
  const answer = await received('HTTP/1.1', (response) => {
    response.write('{"first":1}\n');
    writeBlankLine(response);
    response.end();
    writeBlankLine(response);
  });
  expect(bodyOf(answer)).toBe('c\r\n{"first":1}\n\r\n0\r\n\r\n');
});
