import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { readExamples } from './read-examples.ts';

/** Where the examples find their packages, as in a reader's project. */
const folder = join(import.meta.dirname, '../../node_modules/.docs-servers');
const examples = readExamples();

/** A server of a page of the documentation, at an address of its own. */
async function run(page: string, title: string, service = 'http://127.0.0.1:9') {
  const { code = '' } = examples.get(page)?.find((example) => example.title === title) ?? {};
  const [, written = ''] = /listen\((\d+)/.exec(code) ?? [];
  const port = await freePort();
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${page}-${port}.mjs`);
  await writeFile(file, code.replaceAll(written, String(port)).replaceAll('{{service}}', service));
  const child: ChildProcess = spawn(process.execPath, [file], {
    env: { PARLEY_KEY: 'sk_live_test', WEBHOOK_SECRET: `whsec_${'c2VjcmV0'.repeat(4)}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout!, 'data');
  return { child, port, url: `http://127.0.0.1:${port}` };
}

/** A service that answers as the test says. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ask = (url: string, signal?: AbortSignal) =>
  fetch(url, { method: 'POST', body: '{"id":"c"}', ...(signal && { signal }) });

test('the server for useChat outlives a service that is out of reach', async () => {
  const { url, child } = await run('use-chat', 'server.mjs');
  expect((await ask(url)).status).toBe(502);
  expect((await ask(url)).status).toBe(502);
  expect(child.exitCode).toBe(null);
});

test('the server for useChat breaks off with an answer that breaks off, and outlives it', async () => {
  const service = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"type":"start"}\n\n', () => response.destroy());
  });
  const { url, child } = await run('use-chat', 'server.mjs', service);
  for (let each = 0; each < 2; each += 1)
    await expect(ask(url).then((answer) => answer.text())).rejects.toThrow('terminated');
  expect(child.exitCode).toBe(null);
});

test('whoever leaves the server for useChat leaves the answer, too', async () => {
  const left = Promise.withResolvers<void>();
  const service = await serve((_, response) => {
    response.on('close', left.resolve);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"type":"start"}\n\n');
  });
  const { url } = await run('use-chat', 'server.mjs', service);
  const page = new AbortController();
  const answer = await ask(url, page.signal);
  await answer.body!.getReader().read();
  page.abort();
  await left.promise;
});

test('nobody ends the receiver of webhooks by a request that breaks off', async () => {
  const { url, port, child } = await run('webhooks', 'receiver.mjs');
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 100\r\n\r\nhalf');
  // It has the half by the time that it answers somebody who came later.
  expect((await ask(url)).status).toBe(401);
  socket.resetAndDestroy();
  await once(socket, 'close');
  expect((await ask(url)).status).toBe(401);
  expect((await ask(url)).status).toBe(401);
  expect(child.exitCode).toBe(null);
});
