import type { RunningServer, TestAgent } from '../../src/server.ts';

/** A key that pages of any origin may use. */
export async function browserKey(
  { settings }: RunningServer,
  { tenantId, agentId }: TestAgent,
): Promise<string> {
  const body = { tenantId, agentId, kind: 'publishable', allowedOrigins: ['*'] };
  return (await settings<{ key: string }>('POST', '/keys', body)).key;
}
