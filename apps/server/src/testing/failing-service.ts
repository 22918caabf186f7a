import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { resolveAgent } from '../resolve-agent.ts';
import { startService } from '../service.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { newAgent } from './new-agent.ts';
import { testFolder } from './test-service.ts';
import { Visitor } from './visitor.ts';

/** A service on a real database whose turns meet what `fail` puts in the place of the store's members. */
export async function failingService(script: readonly unknown[], fail: (store: Store) => Partial<Store>) {
  const file = join(testFolder(), 'test.db');
  const store = await openSqliteStore({ path: file });
  let modelCalls = 0;
  const log: string[] = [];
  const logger = createLogger('warn', { write: (line) => void log.push(line) });
  const config = readConfig({ DATABASE_URL: `file:${file}`, PORT: '0' });
  const service = await startService(config, logger, {
    store: { ...store, ...fail(store) },
    async resolveAgent(parts, session) {
      const runtime = await resolveAgent(parts, session);
      if (!runtime) return null;
      const { model } = runtime;
      const stream: typeof model.stream = (call) => {
        modelCalls += 1;
        return model.stream(call);
      };
      return { ...runtime, model: { ...model, stream } };
    },
  });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  onTestFinished(() => stop());
  const { agentId, key } = await newAgent(service, script);
  const visitor = new Visitor(service.url, key);
  return {
    store,
    agentId,
    visitor,
    url: service.url,
    key,
    modelCalls: () => modelCalls,
    log: () => log,
    stop,
  };
}

/** Pauses are as long as the test says: `pass` ends those of the next 30 s. */
export function heldTimeouts(): { pass(): Promise<unknown> } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: () => vi.advanceTimersByTimeAsync(30_000) };
}
