import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import type { Clock } from '../store/clock.ts';
import { undocumentedProblem } from './undocumented-problem.ts';
import { type TestStore, testStore } from './test-store.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test reads of an answer is what it asserts
  readonly body: any;
}

export interface TestService {
  readonly url: string;
  readonly stored: TestStore;
  readonly adminToken: string;
  /** Every line logged so far. */
  readonly log: readonly string[];
  /** A request as it is. */
  call(path: string, init?: RequestInit): Promise<Answer>;
  /** A request to the settings API with the admin token. */
  settings(method: string, path: string, body?: unknown): Promise<Answer>;
  createSetupLink(): Promise<string | null>;
  stop(): Promise<void>;
}

/** A folder that goes away with the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface TestServiceOptions {
  /** Of a service that ran before, or beside which this one runs. */
  readonly stored?: TestStore;
  /** That of the engine, unless the test moves its own. */
  readonly clock?: Clock;
}

/** The whole service on a port and with a store of its own, for one test. */
export async function testService(
  env: Record<string, string> = {},
  { stored: given, clock }: TestServiceOptions = {},
): Promise<TestService> {
  const log: string[] = [];
  const stored = given ?? (await testStore());
  const config = readConfig({ ...stored.environment, PORT: '0', ...env });
  const service = await startService(
    config,
    createLogger(config.logLevel, { write: (line) => void log.push(line) }),
    clock && { store: await stored.open(clock) },
  );
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  onTestFinished(stop);
  const call = (path: string, init?: RequestInit) => request(service.url + path, init);
  const adminToken = service.adminToken.value;
  return {
    url: service.url,
    stored,
    adminToken,
    log,
    call,
    settings: (method, path, body) =>
      call(`/api/v1/settings${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    createSetupLink: () => service.createSetupLink(),
    stop,
  };
}

export async function request(url: string, init?: RequestInit): Promise<Answer> {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body = isJson ? JSON.parse(text) : text;
  const undocumented = undocumentedProblem(init?.method ?? 'GET', new URL(url).pathname, body);
  if (undocumented) throw undocumented;
  return { status: response.status, headers: response.headers, body };
}

/** A tenant with one agent that echoes. */
export async function provision(service: TestService): Promise<{ tenantId: string; agentId: string }> {
  const tenant = await service.settings('POST', '/tenants', { name: 'Tenant' });
  const model = { provider: 'scripted', script: [{ steps: [{ say: '{{input}}' }] }] };
  const agent = await service.settings('POST', '/agents', {
    tenantId: tenant.body.id,
    name: 'Echo',
    model,
  });
  return { tenantId: tenant.body.id, agentId: agent.body.id };
}
