import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { get, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { Script } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { provision, type TestService, testService } from '../../testing/test-service.ts';

const widget = join(import.meta.dirname, '../../../../../packages/widget');

beforeAll(() => {
  if (!existsSync(join(widget, 'dist/manifest.json')))
    execFileSync(process.execPath, [join(widget, 'build/build.ts')]);
});

async function publishableKey(service: TestService, allowedOrigins: string[]): Promise<string> {
  const { tenantId, agentId } = await provision(service);
  const answer = await service.settings('POST', '/keys', {
    tenantId,
    agentId,
    kind: 'publishable',
    allowedOrigins,
  });
  return String(answer.body.key);
}

/** The loader as its bytes come over the wire: `fetch` would decode them. */
function raw(service: TestService, headers: OutgoingHttpHeaders, query = '') {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>(
    (resolve, reject) => {
      get(`${service.url}/v1/parley.js${query}`, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      }).on('error', reject);
    },
  );
}

/** The address of the panel, as the loader knows it. */
async function panelPath(service: TestService): Promise<string> {
  const loader = await service.call('/v1/parley.js');
  return `/${/assets\/panel-[\w-]+\.js/.exec(String(loader.body))![0]}`;
}

test('the licences of what ships in the widget are served beside it, and the manifest says where', async () => {
  const service = await testService();
  const { licenses } = (await service.call('/v1/manifest.json')).body;
  const { status, headers, body } = await service.call(`/${licenses}`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(headers.get('cache-control')).not.toContain('immutable');
  expect(body).toMatch(/^## preact - .*\(MIT\)$[^]*Copyright/m);
});

test('the loader may be used by any page and is asked for again after five minutes', async () => {
  const service = await testService();
  const { status, headers } = await service.call('/v1/parley.js');
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  });
});

test('files named by their content may be kept for ever, and no other file is there', async () => {
  const service = await testService();
  const panel = await service.call(await panelPath(service));
  expect(panel.status).toBe(200);
  expect(panel.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  for (const path of ['/assets/panel-00000000.js', '/assets/..%2fmanifest.json', '/assets/panel.js.br']) {
    const missing = await service.call(path);
    expect([missing.status, missing.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(missing.headers.get('cache-control')).toBe('no-store');
  }
});

test('a pinned loader never changes, and the manifest tells its hash', async () => {
  const service = await testService();
  const { headers, body } = await service.call('/v1/manifest.json');
  expect(headers.get('cache-control')).toBe('public, max-age=60');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const { loader, integrity, modules } = body.versions[body.version];
  const hashOf = async (path: string) => {
    const answer = await fetch(`${service.url}/${path}`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const bytes = Buffer.from(await answer.arrayBuffer());
    return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  };
  expect(await hashOf(loader)).toBe(integrity);
  for (const [path, hash] of Object.entries(modules)) expect(await hashOf(path)).toBe(hash);
  for (const version of ['v0.0.0', 'assets', 'v1.0', '..%2fnpm'])
    expect((await service.call(`/${version}/parley.js`)).status).toBe(404);
});

test('the best encoding the browser takes is sent', async () => {
  const service = await testService();
  const plain = await raw(service, { 'accept-encoding': 'identity' });
  const brotli = await raw(service, { 'accept-encoding': 'gzip, deflate, br, zstd' });
  const gzip = await raw(service, { 'accept-encoding': 'gzip' });
  expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([
    undefined,
    'br',
    'gzip',
  ]);
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
});

test('a loader that did not change is not sent again', async () => {
  const service = await testService();
  const first = await raw(service, { 'accept-encoding': 'br' });
  const again = await raw(service, { 'accept-encoding': 'br', 'if-none-match': first.headers.etag });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  const other = await raw(service, { 'accept-encoding': 'gzip', 'if-none-match': first.headers.etag });
  expect(other.status).toBe(200);
});

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What the service has written before the loader of a key. */
const faceIn = (script: string) => JSON.parse(/^\{const FACE=(\{.*?\});/s.exec(script)![1]!) as object;

test('the loader of a key knows how its agent looks, in one cacheable answer, and follows the settings', async () => {
  const service = await testService();
  const { tenantId, agentId } = await provision(service);
  const { body } = await service.settings('POST', '/keys', {
    tenantId,
    agentId,
    kind: 'publishable',
    allowedOrigins: ['*'],
  });
  const key = String(body.key);
  const looks = { name: 'Fern', accent: '#2f6f4f', theme: 'dark', position: 'start', avatar: picture };
  await service.settings('PATCH', `/agents/${agentId}`, { widget: looks });
  const plain = await raw(service, { 'accept-encoding': 'identity' });
  const keyed = await raw(service, { 'accept-encoding': 'br' }, `?key=${key}`);
  const script = brotliDecompressSync(keyed.body).toString();
  expect(faceIn(script)).toEqual({ key, ...looks });
  expect(script).toContain(plain.body.toString());
  expect(() => new Script(script)).not.toThrow();
  expect(keyed.headers['cache-control']).toBe(plain.headers['cache-control']);
  const again = await raw(
    service,
    { 'accept-encoding': 'br', 'if-none-match': keyed.headers.etag },
    `?key=${key}`,
  );
  expect([again.status, again.body.length]).toEqual([304, 0]);

  await service.settings('PATCH', `/agents/${agentId}`, { widget: { name: 'Wren', position: null } });
  const later = await raw(service, { 'accept-encoding': 'gzip' }, `?key=${key}`);
  expect(faceIn(gunzipSync(later.body).toString())).toMatchObject({ key, name: 'Wren', position: 'end' });
});

test('a key that does not exist gets no launcher, and no cache keeps that', async () => {
  const service = await testService();
  const { status, headers, body } = await service.call(
    '/v1/parley.js?key=pk_live_0123456789012345678901234567890123456789012',
  );
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toBe("console.error('Parley: There is no such publishable key.')");
});

test('the frame may be embedded by the origins of its key and runs nothing but the panel', async () => {
  const service = await testService();
  const key = await publishableKey(service, ['https://shop.example', 'https://*.example.org']);
  const { status, headers, body } = await service.call(`/v1/frame?key=${key}`);
  expect(status).toBe(200);
  expect(headers.get('x-frame-options')).toBeNull();
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain('frame-ancestors https://shop.example https://*.example.org;');
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
  expect(policy).toContain("default-src 'none'; script-src 'nonce-");
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  expect(body).toContain(`nonce="${nonce}"`);
  expect(body).toContain((await panelPath(service)).slice(1));
  expect(body).toMatch(/import \{ mountFrame \} from '\.\.\/assets\/frame-[\w-]+\.js'/);
  expect(body).not.toContain(key);
  const second = await service.call(`/v1/frame?key=${key}`);
  expect(second.headers.get('content-security-policy')).not.toContain(nonce);
});

test('a key without origins, and no key at all, is for no page', async () => {
  const service = await testService();
  const key = await publishableKey(service, []);
  const closed = await service.call(`/v1/frame?key=${key}`);
  expect(closed.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const unknown = await service.call('/v1/frame?key=%22%3E%3Cscript%3E');
  expect([unknown.status, unknown.headers.get('x-frame-options')]).toEqual([404, 'DENY']);
});

test('a key for any origin is for any page', async () => {
  const service = await testService();
  const key = await publishableKey(service, ['*']);
  const open = await service.call(`/v1/frame?key=${key}`);
  expect(open.headers.get('content-security-policy')).toContain('frame-ancestors *;');
});
