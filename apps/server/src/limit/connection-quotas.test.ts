import { expect, test } from 'vitest';
import { approvalMailQuotas } from './connection-quotas.ts';

test('of what a connection sends, approvals leave half to its agent, and one conversation half of that to the others', () => {
  const quotas = (session: string) => approvalMailQuotas({ id: 'connection_1', callsPerMinute: 60 }, session);
  expect(quotas('session_1').map(({ limit }) => limit)).toEqual([60, 30, 15]);
  const shared = quotas('session_2').filter(({ scope }) =>
    quotas('session_1').some((of) => of.scope === scope),
  );
  expect(shared).toHaveLength(2);
});
