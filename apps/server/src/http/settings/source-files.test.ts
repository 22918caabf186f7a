import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { sourceFileHandlers } from './source-files.ts';

test('two tenants whose files take long leave a place for another', async () => {
  const read: string[] = [];
  const { uploadSource } = sourceFileHandlers({
    agents: { find: async (_principal: unknown, tenantId: string) => ({ tenantId }) },
    sources: {},
    limits: { countQuotas: async () => null },
    knowledge: {
      readFile: (tenantId: string) => {
        read.push(tenantId);
        return new Promise(() => undefined);
      },
    },
  } as never);
  const refused: string[] = [];
  const send = (agentId: string) => {
    const request = Object.assign(Readable.from([Buffer.from('We sell lamps.')]), { headers: {} });
    const upload = { request, principal: { kind: 'admin' }, query: { agentId, filename: 'notes.txt' } };
    Promise.resolve(uploadSource(upload as never)).catch(({ code }) => refused.push(`${agentId} ${code}`));
  };
  for (const tenant of ['one', 'one', 'other', 'other']) send(tenant);
  await expect
    .poll(() => [read.toSorted(), refused])
    .toEqual([['one', 'one', 'other'], ['other QUOTA_EXCEEDED']]);
  send('third');
  await expect.poll(() => read).toContain('third');
});
