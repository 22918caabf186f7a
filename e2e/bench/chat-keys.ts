import type { RunningServer } from '../src/server.ts';

const turnsPerKey = 50;

/** Names the key for each of so many Chat turns; a key has 60 a minute. */
export async function createChatKeys(
  { settings }: RunningServer,
  owner: { readonly tenantId: string; readonly agentId: string },
  turns: number,
): Promise<() => string> {
  const keys: string[] = [];
  for (let index = 0; index < turns / turnsPerKey; index += 1) {
    const { key } = await settings<{ key: string }>('POST', '/keys', { ...owner, kind: 'secret' });
    keys.push(key);
  }
  let taken = 0;
  return () => keys[Math.floor(taken++ / turnsPerKey)]!;
}
