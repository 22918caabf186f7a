import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { sessionBounds } from '@parley/protocol/body-bounds';
import { readJsonBody } from './read-json-body.ts';

test('a file of escapes is read in many rounds of the event loop, however fast it comes', async () => {
  const request = new IncomingMessage(new Socket());
  request.push('{"message":[{"type":"file","mediaType":"image/png","data":"');
  const chunk = Buffer.from('\\u0041'.repeat(10_000));
  for (let n = 0; n < 200; n += 1) request.push(chunk);
  request.push('"}]}');
  request.push(null);
  let rounds = 0;
  let reading = true;
  const count = () => {
    rounds += 1;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const body = await readJsonBody(Object.assign(request, { ip: '192.0.2.1' }), {
    bounds: sessionBounds,
    contentType: 'any',
  });
  reading = false;
  expect(body).toMatchObject({ message: [{ data: { bytes: { length: 1_500_000 } } }] });
  expect(rounds).toBeGreaterThan(5);
});
