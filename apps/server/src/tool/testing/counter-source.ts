import { z } from 'zod';
import type { ConfiguredToolSource } from '../source.ts';
import type { ServerTool } from '../tool.ts';

const schema = z.strictObject({
  id: z.string(),
  agentId: z.string(),
  kind: z.literal('counter'),
  name: z.string(),
  createdAt: z.string(),
  start: z.number(),
  password: z.string(),
});

export type CounterSettings = z.infer<typeof schema>;

/** What became of a connection that a counter was loaded with. */
export interface CounterConnection {
  readonly password: string;
  closed: boolean;
}

/** A kind of tool that no agent outside of tests has: each counts its calls over a connection that has to be closed. */
export function counterSource(
  connections: CounterConnection[],
): ConfiguredToolSource<CounterSettings, string> {
  return {
    kind: 'counter',
    schema,
    secretsSchema: z.string(),
    patchedInside: [],
    load: (_agent, settings) => {
      const opened = settings.map(({ password }): CounterConnection => ({ password, closed: false }));
      connections.push(...opened);
      const tools = settings.map(counter);
      return Promise.resolve({
        forSession: () => tools,
        close: () => {
          for (const connection of opened) connection.closed = true;
          return Promise.resolve();
        },
      });
    },
    splitSecrets: ({ password, ...config }) => ({ config, secrets: password }),
    joinSecrets: (config, password) => ({ ...config, password }),
    view: (settings) => ({ ...settings, password: '…' }),
    unmask: (_settings, patch) => Object(patch),
    validate: ({ start }) =>
      Promise.resolve(start < 0 ? [{ path: ['start'], message: 'Expected no less than 0.' }] : []),
    test: (settings, { by }) =>
      Promise.resolve(
        typeof by === 'number'
          ? { outcome: { ok: true, output: settings.start + by } }
          : { issues: [{ path: ['input', 'by'], message: 'Expected a number.' }] },
      ),
  };
}

function counter({ id, name, start }: CounterSettings): ServerTool {
  let count = start;
  return {
    name,
    description: 'Counts.',
    parameters: { type: 'object' },
    executor: 'server',
    interfaces: ['chat', 'sessions'],
    approval: 'never',
    approvalExpiresAfterMs: null,
    idempotent: true,
    visibility: 'full',
    timeoutMs: 1_000,
    fingerprint: id,
    invalid: () => undefined,
    execute: () => Promise.resolve({ ok: true, output: (count += 1) }),
  };
}
