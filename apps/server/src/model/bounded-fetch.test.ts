import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createEgress } from '../egress/egress.ts';
import { createModel } from './create-model.ts';
import { openaiCompatibleWire } from './testing/openai-compatible-wire.ts';
import { collect } from './testing/collect.ts';
import { type Answer, providerServer } from './testing/provider-server.ts';

const egress = createEgress({ allow: ['127.0.0.0/8'] });
afterAll(() => egress.close());

const megabyte = 1_024 * 1_024;

/** Inflates to 400 times a megabyte: gzip members follow one another. */
const bomb = (content: Buffer): Buffer => {
  const member = gzipSync(content);
  return Buffer.concat(Array.from({ length: 400 }, () => member));
};

const answer =
  (status: number, contentType: string, body: Buffer): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': contentType, 'content-encoding': 'gzip' }).end(body);
  };

/** How a call fails, and by how many bytes the process grew at most. */
async function failure(reply: Answer) {
  await using server = await providerServer(reply);
  const model = await createModel({
    settings: openaiCompatibleWire.settings(server.origin),
    reasoning: { effort: 'low', show: false },
    temperature: undefined,
    maxOutputTokens: undefined,
    credentials: {},
    fetch: egress.fetch,
  });
  const before = process.resourceUsage().maxRSS;
  const call = {
    instructions: undefined,
    messages: [{ role: 'user' as const, content: 'Hello' }],
    tools: [],
    signal: new AbortController().signal,
  };
  const error: unknown = await collect(model.stream(call)).catch((reason: unknown) => reason);
  await server.requests[0]?.closed;
  return { error, grownBytes: (process.resourceUsage().maxRSS - before) * 1_024 };
}

test('an error body that inflates to 400 MB is not held, and its status still counts', async () => {
  const { error, grownBytes } = await failure(
    answer(400, 'application/json', bomb(Buffer.alloc(megabyte, ' '))),
  );
  expect(error).toMatchObject({
    name: 'ModelError',
    kind: 'refused',
    message: expect.stringMatching(/^400/),
  });
  expect(grownBytes).toBeLessThan(150 * megabyte);
});

test('a reply that inflates to 400 MB is not read to its end', async () => {
  const comments = Buffer.from(`: ${'x'.repeat(1_021)}\n`.repeat(1_024));
  const { error, grownBytes } = await failure(answer(200, 'text/event-stream', bomb(comments)));
  expect(error).toMatchObject({ name: 'ModelError', message: 'The provider sent more than 32 MB.' });
  expect(grownBytes).toBeLessThan(150 * megabyte);
});
