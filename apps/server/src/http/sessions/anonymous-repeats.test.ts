import { expect, test } from 'vitest';
import { provision, testService } from '../../testing/test-service.ts';

const path = '/parley/v1/session';
const key = 'an-idempotency-key-that-two-have';

/** The service behind one proxy, and what somebody unknown at an address sends with the same Idempotency-Key. */
async function page() {
  const service = await testService({ TRUST_PROXY: '1' });
  const bound = await provision(service);
  const { body } = await service.settings('POST', '/keys', { ...bound, kind: 'publishable' });
  const from = (
    address: string,
    text: string,
    at = path,
    more: Record<string, unknown> = { message: text },
  ) =>
    service.call(at, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${body.key}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        'x-forwarded-for': address,
      },
      body: JSON.stringify(more),
    });
  return { service, from };
}

test('the same request of a stranger opens a session of their own, and meets no conflict either', async () => {
  const { from } = await page();
  const first = await from('203.0.113.7', 'Hello');
  expect(first.status).toBe(202);
  const stranger = await from('198.51.100.9', 'Hello');
  expect(stranger.status).toBe(202);
  expect(stranger.body.sessionId).not.toBe(first.body.sessionId);
  expect((await from('192.0.2.1', 'Another text')).status).toBe(202);
  expect((await from('203.0.113.7', 'Hello')).body).toEqual(first.body);
  expect((await from('203.0.113.7', 'Another text')).body.code).toBe('IDEMPOTENCY_CONFLICT');
});

test('a repeat from another address of the same network is told the first answer', async () => {
  const { from } = await page();
  const first = await from('2001:db8:1:2::7', 'Hello');
  expect((await from('2001:db8:1:2:ffff::1', 'Hello')).body).toEqual(first.body);
  expect((await from('2001:db8:1:3::7', 'Hello')).body.sessionId).not.toBe(first.body.sessionId);
});

test('a Chat reply is repeated to nobody else who is unknown', async () => {
  const { from } = await page();
  const chat = '/api/v1/agent/chat';
  const ask = (address: string, text: string) => from(address, text, chat, { id: 'ticket-1', text });
  expect((await ask('203.0.113.7', 'Hello')).body.text).toBe('Hello');
  expect(await ask('198.51.100.9', 'Other')).toMatchObject({ status: 200, body: { text: 'Other' } });
  expect((await ask('203.0.113.7', 'Other')).body.code).toBe('IDEMPOTENCY_CONFLICT');
});
