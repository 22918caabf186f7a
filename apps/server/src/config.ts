import { defaultPlatform, platformPattern } from '@parley/protocol/paths';
import { parseEgressAllow } from './egress/egress-allow.ts';

/** What the environment decides. Every variable has a default that works. */
export interface Config {
  /** Path of the SQLite file, which is the database without a `postgresUrl`. */
  readonly databaseFile: string;
  /** `postgres://user:password@host/database`: any number of processes may share it. */
  readonly postgresUrl: string | undefined;
  /** What processes tell one another through; undefined: through the database, or there is one process only. */
  readonly redisUrl: string | undefined;
  /** What the process is for. */
  readonly roles: readonly Role[];
  /** The platform's name in paths (`/<platform>/v1/...`) and headers (`x-<platform>-*`). */
  readonly platform: string;
  readonly host: string;
  readonly port: number;
  /** Origin under which browsers reach the service; by default the address it listens on. */
  readonly publicUrl: string | undefined;
  /** Origin of the iframe page; by default `publicUrl`. */
  readonly embedUrl: string | undefined;
  /** Made and kept beside the database when unset. */
  readonly adminToken: string | undefined;
  /** Reads `/metrics`, which is not there without it. */
  readonly metricsToken: string | undefined;
  /** The collector that traces are sent to, as OTLP over HTTP. */
  readonly otlpEndpoint: string | undefined;
  readonly otlpHeaders: Readonly<Record<string, string>> | undefined;
  /** The first signs and encrypts, all verify and decrypt. Made and kept beside the database when unset. */
  readonly secretKeyBase: readonly string[] | undefined;
  /** `host:port` or CIDR that tools may reach although private. */
  readonly egressAllow: readonly string[];
  /** How many proxies in front append to `X-Forwarded-For`. */
  readonly trustProxy: number;
  readonly maxConnections: number;
  /** Of one IPv4 address or IPv6 /64; behind a proxy, its open requests. */
  readonly maxConnectionsPerAddress: number;
  readonly logLevel: (typeof logLevels)[number];
  /** API keys for agents that have no credentials of their own. */
  readonly providerKeys: Readonly<Record<string, string>>;
}

export const roles = ['web', 'worker'] as const;
/** `web` answers requests; `worker` runs turns and jobs, and answers whether it is well. */
export type Role = (typeof roles)[number];

type Environment = Readonly<Record<string, string | undefined>>;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Of a token or base that an operator chose: shorter ones can be guessed. */
const minSecretLength = 32;

const providerVariables = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  mistral: 'MISTRAL_API_KEY',
  azure: 'AZURE_API_KEY',
  'amazon-bedrock': 'AWS_BEARER_TOKEN_BEDROCK',
} as const;

/** Thrown once, with every variable that is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function readConfig(env: Environment): Config {
  const faults: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (value: string) => T): T => {
    const value = env[name]?.trim();
    if (!value) return fallback;
    try {
      return parse(value);
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return fallback;
    }
  };
  const text = (value: string): string => value;
  const config: Config = {
    databaseFile: isPostgres(env) ? '' : read('DATABASE_URL', './data/parley.db', databaseFile),
    postgresUrl: isPostgres(env) ? read('DATABASE_URL', '', postgresUrl) : undefined,
    redisUrl: read<string | undefined>('REDIS_URL', undefined, redisUrl),
    roles: read<Config['roles']>('ROLES', roles, rolesOf),
    platform: read('PLATFORM', defaultPlatform, platformName),
    host: read('HOST', '127.0.0.1', text),
    port: read('PORT', 3000, (value) => wholeNumber(value, 65_535)),
    publicUrl: read<string | undefined>('PUBLIC_URL', undefined, httpOrigin),
    embedUrl: read<string | undefined>('EMBED_URL', undefined, httpOrigin),
    adminToken: read<string | undefined>('ADMIN_TOKEN', undefined, (value) =>
      bearerToken(value, 'leave it unset to have one made'),
    ),
    metricsToken: read<string | undefined>('METRICS_TOKEN', undefined, (value) =>
      bearerToken(value, 'leave it unset to have no metrics'),
    ),
    otlpEndpoint: read<string | undefined>('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, httpAddress),
    otlpHeaders: read<Record<string, string> | undefined>(
      'OTEL_EXPORTER_OTLP_HEADERS',
      undefined,
      headerList,
    ),
    secretKeyBase: read<string[] | undefined>('SECRET_KEY_BASE', undefined, secretKeyBases),
    egressAllow: read<string[]>('EGRESS_ALLOW', [], egressAllow),
    trustProxy: read('TRUST_PROXY', 0, (value) => wholeNumber(value, 10)),
    maxConnections: read('MAX_CONNECTIONS', 20_000, connectionLimit),
    maxConnectionsPerAddress: read('MAX_CONNECTIONS_PER_ADDRESS', 256, connectionLimit),
    logLevel: read<Config['logLevel']>('LOG_LEVEL', 'info', logLevel),
    providerKeys: Object.fromEntries(
      Object.entries(providerVariables).flatMap(([provider, name]) => {
        const key = env[name]?.trim();
        return key ? [[provider, key]] : [];
      }),
    ),
  };
  if (!isPostgres(env) && config.roles.length < roles.length)
    faults.push('ROLES: one process owns an SQLite file and is both; web and worker apart need PostgreSQL');
  if (isPostgres(env)) {
    for (const name of ['ADMIN_TOKEN', 'SECRET_KEY_BASE'])
      if (!env[name]?.trim()) faults.push(`${name}: required with PostgreSQL, the same for every process`);
  }
  if (faults.length > 0) throw new ConfigError(`The configuration is wrong.\n  ${faults.join('\n  ')}`);
  return config;
}

const list = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

const postgresScheme = /^\s*postgres(ql)?:/;

function isPostgres(env: Environment): boolean {
  return postgresScheme.test(env['DATABASE_URL'] ?? '');
}

/** The message never repeats the value, which has a password. */
export function postgresUrl(value: string): string {
  const url = URL.parse(value);
  if (url === null || !postgresScheme.test(value) || url.hostname === '' || url.pathname.length < 2)
    throw new Error('must be postgres://<user>:<password>@<host>:<port>/<database>');
  return value;
}

export function databaseFile(value: string): string {
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(value)?.[1];
  if (path === undefined || path.startsWith(':') || path.includes('?'))
    throw new Error('must be file:<path>, for example file:./data/parley.db, or postgres://<address>');
  return path;
}

function redisUrl(value: string): string {
  const url = URL.parse(value);
  if (url === null || !/^rediss?:$/.test(url.protocol))
    throw new Error(
      'must be redis://<host>:<port> or rediss://, with user, password and database where needed',
    );
  return value;
}

function rolesOf(value: string): readonly Role[] {
  const named = list(value);
  if (named.length === 0 || named.some((name) => !roles.some((role) => role === name)))
    throw new Error(`must be ${roles.join(' or ')}, or both with a comma between them`);
  return roles.filter((role) => named.includes(role));
}

function platformName(value: string): string {
  if (!platformPattern.test(value) || value === 'api' || value === 'v1')
    throw new Error('must be lower-case letters, digits and hyphens, and neither "api" nor "v1"');
  return value;
}

function wholeNumber(value: string, max: number): number {
  if (!/^\d{1,6}$/.test(value) || Number(value) > max)
    throw new Error(`must be a whole number from 0 to ${max}`);
  return Number(value);
}

function connectionLimit(value: string): number {
  const limit = wholeNumber(value, 100_000);
  if (limit === 0) throw new Error('must be at least 1');
  return limit;
}

function httpOrigin(value: string): string {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('must be an http or https address');
  if (url.pathname !== '/' || url.search || url.hash || url.username)
    throw new Error('must be an origin, without path, query or user');
  return url.origin;
}

function httpAddress(value: string): string {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('must be an http or https address');
  return url.href;
}

function headerList(value: string): Record<string, string> {
  const pairs = list(value).map((entry) => /^([\w-]+)=(.*)$/.exec(entry) ?? []);
  if (pairs.some(([, name]) => name === undefined))
    throw new Error('must be a list such as authorization=Bearer%20token,x-team=chat');
  return Object.fromEntries(pairs.map(([, name = '', text = '']) => [name, decodeURIComponent(text)]));
}

function bearerToken(value: string, otherwise: string): string {
  if (!/^[\w.~+/=-]{1,512}$/.test(value))
    throw new Error('may hold letters, digits and - . _ ~ + / = only, at most 512');
  if (value.length < minSecretLength)
    throw new Error(`must have at least ${minSecretLength} characters; ${otherwise}`);
  return value;
}

function secretKeyBases(value: string): string[] {
  const bases = list(value);
  if (bases.length === 0 || bases.some((base) => base.length < minSecretLength))
    throw new Error(`every entry must have at least ${minSecretLength} characters of randomness`);
  return bases;
}

function egressAllow(value: string): string[] {
  const entries = list(value);
  parseEgressAllow(entries);
  return entries;
}

function logLevel(value: string): Config['logLevel'] {
  const level = logLevels.find((name) => name === value);
  if (level === undefined) throw new Error(`must be one of ${logLevels.join(', ')}`);
  return level;
}
