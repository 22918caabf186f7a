import type { RunningService } from '../running-service.ts';
import { request } from './test-service.ts';

type Fields = Record<string, unknown>;

/** An agent of a new tenant that follows the script, and a secret key for it. */
export async function newAgent(
  { url, adminToken }: Pick<RunningService, 'url' | 'adminToken'>,
  script: readonly unknown[],
  tools: readonly Fields[] = [],
): Promise<{ readonly agentId: string; readonly key: string }> {
  const created = async (path: string, body: Fields) => {
    const answer = await request(`${url}/api/v1/settings${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken.value}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Tenant' });
  const model = { provider: 'scripted', script };
  const { id: agentId } = await created('/agents', { tenantId, name: 'Agent', model });
  for (const tool of tools)
    await created('/tools', { agentId, kind: 'http', description: 'A tool', ...tool });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'secret' });
  return { agentId, key };
}
