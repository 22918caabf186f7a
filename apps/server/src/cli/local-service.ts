import { loadAdminToken } from '../auth/admin-token.ts';
import type { Config } from '../config.ts';
import { createEgress } from '../egress/egress.ts';
import { destination } from './destination.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';

const answerMs = 10_000;
/** As long as a turn may take. */
const turnMs = 310_000;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface LocalService {
  /** Whether it ran before, and goes on. */
  readonly isRunning: boolean;
  request(method: string, path: string, credential: string, body?: unknown): Promise<Answer>;
  /** With the admin token. */
  settings(method: string, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/** Where the service of this configuration listens. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** The service of this configuration: the one that runs, or one that runs until it is closed, on a port of its own. */
export async function openLocalService(config: Config): Promise<LocalService> {
  // A port of 0 is whichever is free: nobody can be found there.
  const isRunning = config.port !== 0 && (await runs(localUrl(config)));
  const started = isRunning ? null : await startService({ ...config, port: 0 }, createLogger('silent'));
  const url = started?.url ?? localUrl(config);
  const egress = createEgress({ allow: [destination(url)] });
  const adminToken = loadAdminToken(config).value;

  async function request(method: string, path: string, credential: string, body?: unknown): Promise<Answer> {
    const response = await egress.fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(turnMs),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }

  return {
    isRunning,
    request,
    settings: (method, path, body) => request(method, `/api/v1/settings${path}`, adminToken, body),
    async close() {
      await egress.close();
      await started?.stop();
    },
  };
}

async function runs(url: string): Promise<boolean> {
  const egress = createEgress({ allow: [destination(url)] });
  try {
    const response = await egress.fetch(`${url}/healthz`, { signal: AbortSignal.timeout(answerMs) });
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && 'status' in body && body.status === 'running';
  } catch {
    return false;
  } finally {
    await egress.close();
  }
}
