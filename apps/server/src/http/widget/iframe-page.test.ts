import { expect, test } from 'vitest';
import { provision, testService } from '../../testing/test-service.ts';

/** Whether a browser lets a page of `origin` frame a document with this policy: CSP 3, 6.7.2.6 and 6.7.2.8 (hosts). */
function mayFrame(policy: string, origin: string): boolean {
  const sources = /frame-ancestors ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
  const page = new URL(origin);
  return sources.some((source) => {
    if (source === '*') return true;
    const [, scheme, host = '', port = ''] = /^(https?:)\/\/([^:]+)(?::(\d+))?$/.exec(source) ?? [];
    const hostMatches = host.startsWith('*.')
      ? page.hostname.endsWith(host.slice(1))
      : page.hostname === host;
    return page.protocol === scheme && hostMatches && page.port === port;
  });
}

test('CORS and frame-ancestors let the same pages in', async () => {
  const running = await testService();
  const bound = await provision(running);
  const { body: key } = await running.settings('POST', '/keys', { ...bound, kind: 'publishable' });
  const table: [string, string, boolean][] = [
    ['https://shop.example', 'https://shop.example', true],
    ['https://shop.example', 'https://www.shop.example', false],
    ['https://*.shop.example', 'https://www.shop.example', true],
    ['https://*.shop.example', 'https://a.b.shop.example', true],
    ['https://*.shop.example', 'https://shop.example', false],
    ['https://*.shop.example', 'https://evilshop.example', false],
    ['https://*.shop.example', 'http://www.shop.example', false],
    ['https://*.shop.example', 'https://www.shop.example:8443', false],
    ['https://*.shop.example:8443', 'https://a.b.shop.example:8443', true],
    ['*', 'https://anybody.example', true],
  ];
  for (const [listed, origin, expected] of table) {
    const patched = await running.settings('PATCH', `/keys/${key.id}`, { allowedOrigins: [listed] });
    expect(patched.status, listed).toBe(200);
    const cors = await running.call('/parley/v1/session', {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json', origin },
      body: '{}',
    });
    const preflight = await running.call('/parley/v1/session', { method: 'OPTIONS', headers: { origin } });
    const frame = await running.call(`/v1/frame?key=${key.key}`);
    const policy = frame.headers.get('content-security-policy') ?? '';
    const answers = [
      cors.status !== 403,
      preflight.headers.get('access-control-allow-origin') === origin,
      mayFrame(policy, origin),
    ];
    expect(answers, `${origin} against ${listed}`).toEqual([expected, expected, expected]);
  }
});

test('a public suffix is refused as a wildcard, and one that was stored before lets nobody in', async () => {
  const running = await testService();
  const bound = await provision(running);
  const make = (allowedOrigins: string[]) =>
    running.settings('POST', '/keys', { ...bound, kind: 'publishable', allowedOrigins });
  for (const suffix of ['github.io', 'co.uk', 'com']) {
    const refused = await make(['https://shop.example', `https://*.${suffix}`]);
    expect(refused.status).toBe(400);
    expect(refused.body.issues).toMatchObject([
      { path: ['allowedOrigins', 1], message: expect.stringContaining(suffix) },
    ]);
  }
  const { body: key } = await make(['https://shop.example']);
  const patched = await running.settings('PATCH', `/keys/${key.id}`, {
    allowedOrigins: ['https://*.github.io'],
  });
  expect(patched.status).toBe(400);
  await running.stop();
  await running.stored.sql('UPDATE keys SET allowed_origins = ?', '["https://*.github.io"]');

  const again = await testService({}, { stored: running.stored });
  const origin = 'https://me.github.io';
  const preflight = await again.call('/parley/v1/session', { method: 'OPTIONS', headers: { origin } });
  expect(preflight.headers.get('access-control-allow-origin')).toBe(null);
  const sent = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json', origin };
  const create = { method: 'POST', headers: sent, body: '{}' };
  expect((await again.call('/parley/v1/session', create)).body.code).toBe('ORIGIN_NOT_ALLOWED');
  const frame = await again.call(`/v1/frame?key=${key.key}`);
  expect(frame.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const config = await again.call(`/v1/config?key=${key.key}`, { headers: { origin } });
  expect(config.body).toMatchObject({ ok: false, reason: 'origin-not-allowed' });
});
