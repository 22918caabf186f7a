import type { ConnectionTool } from '@parley/protocol/settings/mcp-connection';
import { expect, test } from 'vitest';
import { toolsBody, withChosen } from './tool-choices.ts';

const tool = (
  name: string,
  status: ConnectionTool['status'],
  fingerprint = name,
  approval: ConnectionTool['approval'] = 'never',
): ConnectionTool => ({
  name,
  toolName: name,
  fingerprint,
  status,
  approval,
  title: null,
  description: '',
  parameters: { type: 'object' },
  hints: { readOnly: true, destructive: false, idempotent: true },
  problem: null,
  before: null,
});

test('what was chosen is put to the tools as they are by now, and nothing is given back that was taken away', () => {
  const shown = [tool('find', 'approved'), tool('pay', 'approved'), tool('send', 'available')];
  const chosen = { send: { approval: 'always', fingerprint: 'send' } } as const;
  const now = [tool('find', 'approved', 'find', 'once'), tool('pay', 'available'), tool('send', 'available')];
  expect(toolsBody(now, chosen)).toEqual([
    { name: 'find', approval: 'once', fingerprint: 'find' },
    { name: 'send', approval: 'always', fingerprint: 'send' },
  ]);
  expect(withChosen(shown, { find: null })).toEqual({
    find: null,
    pay: { approval: 'never', fingerprint: 'pay' },
    send: null,
  });
});

test('a tool that has changed since it was chosen is not used, and one that is gone is none', () => {
  const chosen = { send: { approval: 'never', fingerprint: 'send' }, gone: null } as const;
  expect(withChosen([tool('send', 'available', 'another')], chosen)).toEqual({ send: null });
});
