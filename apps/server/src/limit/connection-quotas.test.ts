import { expect, test } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { approvalMailQuotas } from './connection-quotas.ts';

const secrets = createSecrets(['a secret of this test']);
const quotas = (sessionId: string) =>
  approvalMailQuotas({ id: 'connection_1', callsPerMinute: 60 }, { secrets, sessionId });

test('of what a connection sends, approvals leave half to its agent, and one conversation half of that to the others', () => {
  expect(quotas('session_1').map(({ limit }) => limit)).toEqual([60, 30, 15]);
  const shared = quotas('session_2').filter(({ scope }) =>
    quotas('session_1').some((of) => of.scope === scope),
  );
  expect(shared).toHaveLength(2);
});

test('no counter names the conversation: it outlives one that is deleted', () => {
  const scopes = quotas('session_1').map(({ scope }) => scope);
  expect(scopes).toEqual(quotas('session_1').map(({ scope }) => scope));
  expect(scopes.filter((scope) => scope.includes('session_1'))).toEqual([]);
});
