import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxSourceFileBytes } from '@parley/protocol/bounds';
import { servicePatterns } from '@parley/protocol/paths';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { environmentOf, parseDockerfile, wordsOf } from './dockerfile.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const deployed = (name: string) => read(`apps/server/deploy/${name}`);
const manifest = (folder: string) =>
  JSON.parse(read(join(folder, 'package.json'))) as {
    name: string;
    version: string;
    scripts: Record<string, string>;
  };

/** A number of the service's source, found by the words before it. */
function numberAfter(words: string, path: string): number {
  const [, after] = read(`apps/server/src/${path}`).split(words);
  const found = /^[\d_]+/.exec(after ?? '')?.[0];
  if (found === undefined) throw new Error(`${path} says no number after ${words}`);
  return Number(found.replaceAll('_', ''));
}

const stopSeconds = numberAfter('stopMs = ', 'stop-on-signal.ts') / 1_000;
const replySeconds = numberAfter('= { turnMs: ', 'http/chat/chat-timing.ts') / 1_000;
const keepAliveSeconds = numberAfter('keepAliveTimeout: ', 'http/server.ts') / 1_000;
const port = numberAfter("read('PORT', ", 'config.ts');
const health: readonly string[] = [servicePatterns.live, servicePatterns.ready];

/** Each is in the documentation's table and read by the service, or known to be another's. */
function expectVariables(names: readonly string[]): void {
  const table = read('apps/server/docs/run.md');
  const source = read('apps/server/src/config.ts');
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    if (name === 'NODE_ENV' || name === 'MALLOC_TRIM_THRESHOLD_') continue;
    expect(table, name).toContain(`\`${name}\``);
    expect(source, name).toContain(`'${name}'`);
  }
}

/** A command is that of `pnpm serve`, which looks first whether Node is old; where the Node is a given it is not. */
function expectCommand(words: readonly string[]): void {
  const [program = '', ...rest] = words;
  expect(program.endsWith('node')).toBe(true);
  expect(`node ${rest.join(' ')}`).toBe(
    manifest('.').scripts['serve']?.replace('--import=./apps/server/node-version.js ', ''),
  );
}

const secondsOf = (text: string | undefined) => Number(/^(\d+)s?$/.exec(text ?? '')?.[1]);
const megabytesOf = (text: string | undefined) => Number(/^(\d+)(?:m|MB)$/.exec(text ?? '')?.[1]);

test('the workflow runs the test command and the audit, with actions that cannot change', () => {
  const { jobs } = parse(read('.github/workflows/test.yaml')) as {
    jobs: Record<string, { steps: { run?: string; uses?: string }[] }>;
  };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const commands = steps.map(({ run }) => run);
  expect(commands).toContain('npx -y pnpm@12 test');
  expect(read('README.md')).toContain('npx -y pnpm@12 test');
  expect(commands).toContain('npx -y pnpm@12 audit --prod');
  for (const { uses } of steps) if (uses) expect(uses).toMatch(/@[0-9a-f]{40}$/);
});

test('the Dockerfile names what there is', () => {
  const stages = parseDockerfile(deployed('Dockerfile'));
  const instructions = stages.flatMap((stage) => stage.instructions);
  const of = (name: string) => instructions.filter((each) => each.name === name);
  expect(stages[0]?.base).toMatch(`node:${/nodeVersion: (\S+)/.exec(read('pnpm-workspace.yaml'))?.[1]}-`);
  for (const { flags } of of('COPY'))
    if (flags['from']) expect(stages.map(({ name }) => name)).toContain(flags['from']);
  const packages = ['.', 'packages/widget', 'apps/console', 'apps/server'];
  for (const { text } of of('RUN')) {
    for (const [, name = ''] of text.matchAll(/--filter (\S+?)(?:\.\.\.)?(?= |$)/g))
      expect(packages.map((folder) => manifest(folder).name)).toContain(name);
    for (const [, folder = '', script = ''] of text.matchAll(/cd (\S+) && node --run (\S+)/g))
      expect(manifest(folder).scripts).toHaveProperty(script);
  }
  const environment = Object.assign({}, ...of('ENV').map(environmentOf)) as Record<string, string>;
  expectVariables(Object.keys(environment));
  expect(environment['PORT']).toBe(String(port));
  expect(of('EXPOSE')[0]?.text).toBe(String(port));
  expect(environment['DATABASE_URL']).toBe(`file:${of('VOLUME')[0]?.text}/parley.db`);
  expect(of('USER')[0]?.text).toBe('1000:1000');
  expectCommand([...wordsOf(of('ENTRYPOINT')[0]!), ...wordsOf(of('CMD')[0]!)]);
  expect(wordsOf(of('HEALTHCHECK')[0]!).at(-1)).toContain(servicePatterns.live);
});

test('the compose file starts the service on its database, and lets its turns finish', () => {
  interface Service {
    build?: { context: string; dockerfile: string };
    environment: Record<string, string>;
    ports?: string[];
    stop_grace_period?: string;
    depends_on?: Record<string, unknown>;
  }
  const { services } = parse(deployed('compose.yaml')) as { services: Record<string, Service> };
  const { build, environment = {}, ports, stop_grace_period, depends_on } = services['parley'] ?? {};
  expect(existsSync(join(root, 'apps/server/deploy', build?.context ?? '-', build?.dockerfile ?? '-'))).toBe(
    true,
  );
  expectVariables(Object.keys(environment));
  const { POSTGRES_USER: user, POSTGRES_DB: database } = services['database']?.environment ?? {};
  expect(environment['DATABASE_URL']).toMatch(
    new RegExp(String.raw`^postgres://${user}:\S+@database:5432/${database}$`),
  );
  expect(Object.keys(depends_on ?? {})).toEqual(['database']);
  expect(ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(secondsOf(stop_grace_period)).toBeGreaterThan(stopSeconds);
});

test('the unit starts the service as its own user, and lets its turns finish', () => {
  const unit = deployed('parley.service');
  const all = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=-?(.*)$`, 'gm'))].map(([, value = '']) => value);
  const [home = ''] = all('WorkingDirectory');
  const words = all('ExecStart')[0]?.split(' ') ?? [];
  expect(words[0]).toBe(`${home}/node_modules/.bin/node`);
  expectCommand(words);
  expectVariables(all('Environment').map((each) => each.split('=')[0]!));
  expect(all('StateDirectory')).toEqual(['parley']);
  expect(all('Environment')).toContain('DATABASE_URL=file:/var/lib/parley/parley.db');
  expect(secondsOf(all('TimeoutStopSec')[0])).toBeGreaterThan(stopSeconds);
  expect(all('DynamicUser')).toEqual(['yes']);
});

test('the unit is started again for as long as its database is away', () => {
  const unit = deployed('parley.service');
  expect(unit).toMatch(/^Restart=on-failure$/m);
  const [before = ''] = unit.split('[Service]');
  expect(before).toMatch(/^StartLimitIntervalSec=0$/m);
});

test('the unit is not started again with what only its operator mends, and else some seconds later', () => {
  const unit = deployed('parley.service');
  const code = numberAfter('configExitCode = ', 'start-problem.ts');
  expect(unit).toMatch(new RegExp(`^RestartPreventExitStatus=${code}$`, 'm'));
  expect(Number(/^RestartSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(5);
});

test('both proxies pass words on as they come, wait for the longest reply and take the largest file', () => {
  const nginx = deployed('nginx.conf');
  const directive = (name: string) => new RegExp(String.raw`^\s*${name} (.*);$`, 'm').exec(nginx)?.[1];
  expect(directive('proxy_buffering')).toBe('off');
  expect(secondsOf(directive('proxy_read_timeout'))).toBeGreaterThan(replySeconds);
  expect(megabytesOf(directive('client_max_body_size')) * 2 ** 20).toBeGreaterThan(maxSourceFileBytes);
  expect(secondsOf(directive('keepalive_timeout'))).toBeLessThan(keepAliveSeconds);
  expect(nginx).toContain(`server 127.0.0.1:${port} `);

  const caddy = deployed('Caddyfile');
  const word = (name: string) => new RegExp(String.raw`^\s*${name} (.*)$`, 'm').exec(caddy)?.[1];
  // Streams pass as they come anyway, and a turn whose client has left would be paid for to its end.
  expect(word('flush_interval')).toBeUndefined();
  expect(secondsOf(word('response_header_timeout'))).toBeGreaterThan(replySeconds);
  expect(megabytesOf(word('max_size')) * 1e6).toBeGreaterThan(maxSourceFileBytes);
  expect(secondsOf(word('keepalive'))).toBeLessThan(keepAliveSeconds);
  expect(word('reverse_proxy')).toMatch(new RegExp(`^127.0.0.1:${port} `));
  expect(health).toContain(word('health_uri'));
});

test('no proxy keeps paths in its log, which have ids that are rights to read', () => {
  const nginx = deployed('nginx.conf');
  const servers = nginx.split(/^server \{$/m).slice(1);
  expect(servers.length).toBe(2);
  for (const server of servers) {
    expect(server).toMatch(/^ {2}access_log \S+ parley;$/m);
    // Below that it writes the path of each request that it could not pass on.
    expect(server).toMatch(/^ {2}error_log \S+ alert;$/m);
  }
  const [, format = ''] = /^log_format parley '([^;]*)';$/m.exec(nginx) ?? [];
  expect(format).toContain('$request_id');
  expect(format.match(/\$(?:request|request_uri|uri|args|http_referer)\b/g)).toBeNull();
  expect(deployed('kubernetes.yaml')).toMatch(/ingress\.kubernetes\.io\/enable-access-log: 'false'$/m);
  // Caddy keeps those of requests that it could not pass on.
  const [options = ''] = deployed('Caddyfile').split('\n}\n');
  expect(options).toMatch(/\n\tlog \{\n\t\tformat filter \{[^}]*\n\t+request>uri delete\n/);
  expect(deployed('Caddyfile').match(/^\t+log\b/gm)).toHaveLength(1);
});

test('the Kubernetes example replaces processes without a gap, and lets their turns finish', () => {
  interface Probe {
    httpGet: { path: string; port: string };
    periodSeconds: number;
    failureThreshold: number;
  }
  interface Container {
    image: string;
    env: { name: string }[];
    ports: { name: string; containerPort: number }[];
    readinessProbe: Probe;
    livenessProbe: Probe;
    startupProbe: Probe;
    lifecycle: { preStop: { exec: { command: string[] } } };
  }
  const documents = parseAllDocuments(deployed('kubernetes.yaml'));
  for (const { errors } of documents) expect(errors).toEqual([]);
  const objects = documents.map((document) => document.toJS() as { kind: string; spec: unknown });
  expect(objects.map(({ kind }) => kind)).toEqual([
    'Deployment',
    'PodDisruptionBudget',
    'Service',
    'Ingress',
  ]);
  const { strategy, template } = objects[0]!.spec as {
    strategy: { rollingUpdate: { maxUnavailable: number } };
    template: { spec: { terminationGracePeriodSeconds: number; containers: [Container] } };
  };
  const [container] = template.spec.containers;
  expect(strategy.rollingUpdate.maxUnavailable).toBe(0);
  const { exec } = container.lifecycle.preStop;
  expect(exec.command).toEqual(['sleep', expect.any(String)]);
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(exec.command[1]) + stopSeconds);
  expect(container.readinessProbe.httpGet.path).toBe(servicePatterns.ready);
  for (const { httpGet } of [container.livenessProbe, container.startupProbe])
    expect(httpGet.path).toBe(servicePatterns.live);
  const { periodSeconds, failureThreshold } = container.startupProbe;
  expect(periodSeconds * failureThreshold, 'a large database is migrated').toBeGreaterThanOrEqual(30 * 60);
  expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
  expect(container.image).toMatch(new RegExp(`:${manifest('.').version}$`));
  expectVariables(container.env.map(({ name }) => name));
  const { metadata } = objects[3] as { metadata?: { annotations: Record<string, string> } };
  const annotation = (name: string) => metadata?.annotations[`nginx.ingress.kubernetes.io/${name}`];
  expect(annotation('proxy-buffering')).toBe('off');
  expect(secondsOf(annotation('proxy-read-timeout'))).toBeGreaterThan(replySeconds);
  expect(megabytesOf(annotation('proxy-body-size')) * 2 ** 20).toBeGreaterThan(maxSourceFileBytes);
});
