import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('an empty environment works', () => {
  expect(readConfig({})).toEqual({
    databaseFile: './data/parley.db',
    postgresUrl: undefined,
    roles: ['web', 'worker'],
    platform: 'parley',
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    embedUrl: undefined,
    adminToken: undefined,
    secretKeyBase: undefined,
    egressAllow: [],
    trustProxy: 0,
    maxConnections: 20_000,
    maxConnectionsPerAddress: 256,
    logLevel: 'info',
    providerKeys: {},
  });
});

test('every variable is read', () => {
  const config = readConfig({
    DATABASE_URL: 'file:/srv/parley/a.db',
    REDIS_URL: 'rediss://user:secret@redis.example:6380/2',
    PLATFORM: 'eve',
    HOST: '0.0.0.0',
    PORT: '8080',
    PUBLIC_URL: 'https://chat.example/',
    EMBED_URL: 'https://embed.example',
    ADMIN_TOKEN: 'the-token-of-the-administrator-1',
    SECRET_KEY_BASE: `${'a'.repeat(32)}, ${'b'.repeat(32)}`,
    EGRESS_ALLOW: 'tools.internal:8080, 10.0.0.0/8',
    TRUST_PROXY: '2',
    MAX_CONNECTIONS: '5000',
    MAX_CONNECTIONS_PER_ADDRESS: '32',
    OPENAI_API_KEY: 'sk-1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.internal:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20one, x-team=chat',
  });
  expect(config).toMatchObject({
    databaseFile: '/srv/parley/a.db',
    redisUrl: 'rediss://user:secret@redis.example:6380/2',
    platform: 'eve',
    publicUrl: 'https://chat.example',
    secretKeyBase: ['a'.repeat(32), 'b'.repeat(32)],
    egressAllow: ['tools.internal:8080', '10.0.0.0/8'],
    trustProxy: 2,
    maxConnections: 5_000,
    maxConnectionsPerAddress: 32,
    providerKeys: { openai: 'sk-1' },
    otlpEndpoint: 'http://collector.internal:4318/',
    otlpHeaders: { authorization: 'Bearer one', 'x-team': 'chat' },
  });
});

test('PostgreSQL needs an address, and the secrets that no file beside it can keep', () => {
  const secrets = { ADMIN_TOKEN: 'a'.repeat(32), SECRET_KEY_BASE: 'b'.repeat(32) };
  const url = 'postgres://parley:secret@db.internal:5432/parley';
  expect(readConfig({ DATABASE_URL: url, ...secrets })).toMatchObject({ postgresUrl: url });
  const wrong = () => readConfig({ DATABASE_URL: 'postgres://parley:secret@' });
  expect(wrong).toThrow(/DATABASE_URL: must be postgres:.*ADMIN_TOKEN: required.*SECRET_KEY_BASE: required/s);
  expect(wrong).not.toThrow(/secret@/);
});

test('a process is web, worker or both, and one that owns an SQLite file is both', () => {
  const postgres = {
    DATABASE_URL: 'postgres://parley:secret@db.internal/parley',
    ADMIN_TOKEN: 'a'.repeat(32),
    SECRET_KEY_BASE: 'b'.repeat(32),
  };
  expect(readConfig(postgres).roles).toEqual(['web', 'worker']);
  expect(readConfig({ ...postgres, ROLES: 'worker' }).roles).toEqual(['worker']);
  expect(readConfig({ ...postgres, ROLES: 'worker, web' }).roles).toEqual(['web', 'worker']);
  expect(() => readConfig({ ...postgres, ROLES: 'web,cook' })).toThrow('ROLES: must be web or worker');
  expect(() => readConfig({ ROLES: 'web' })).toThrow('ROLES: one process owns an SQLite file');
  expect(readConfig({ ROLES: 'web,worker' }).roles).toEqual(['web', 'worker']);
});

test('one error names every wrong variable', () => {
  const wrong = {
    DATABASE_URL: 'mysql://x',
    REDIS_URL: 'http://redis.example',
    ROLES: 'web, cook',
    PLATFORM: 'Eve!',
    PORT: '70000',
    PUBLIC_URL: 'https://chat.example/path',
    EMBED_URL: 'embed.example',
    ADMIN_TOKEN: 'two words',
    SECRET_KEY_BASE: 'changeme',
    EGRESS_ALLOW: 'nonsense',
    TRUST_PROXY: 'true',
    MAX_CONNECTIONS: '0',
    MAX_CONNECTIONS_PER_ADDRESS: '0',
    LOG_LEVEL: 'loud',
  };
  let message = '';
  try {
    readConfig(wrong);
  } catch (error) {
    message = String(error);
  }
  for (const name of Object.keys(wrong)) expect(message.split(`${name}: `)).toHaveLength(2);
  expect(message).not.toContain('changeme');
});

test('an admin token under 32 characters is refused', () => {
  expect(() => readConfig({ ADMIN_TOKEN: 'a'.repeat(31) })).toThrow(/ADMIN_TOKEN: must have at least 32/);
  expect(() => readConfig({ METRICS_TOKEN: 'a' })).toThrow(
    /32 characters; leave it unset to have no metrics/,
  );
  expect(readConfig({ ADMIN_TOKEN: 'a'.repeat(32) }).adminToken).toBe('a'.repeat(32));
});
