import { expect, test } from 'vitest';
import type { PendingRequest } from '../session/state/phase.ts';
import { waitingThread } from './waiting-thread.ts';

const alan = { id: 'member_alan', name: 'Alan' };
const grace = { id: 'member_grace', name: 'Grace' };

const asked = (requestId: string, more: Partial<PendingRequest> = {}): PendingRequest => ({
  request: {
    requestId,
    kind: 'tool-approval',
    prompt: 'Refund?',
    action: { kind: 'tool-call', callId: requestId, toolName: 'refund', input: {} },
  },
  response: null,
  expiresAt: null,
  expired: false,
  by: 'team',
  ...more,
});
const handedTo = (to: typeof alan): Pick<PendingRequest, 'delegated'> => ({
  delegated: { from: grace, to, line: null, times: 1, everTo: [to.id] },
});

test('a conversation waits for each of those whom one of its approvals was handed to, once', () => {
  const requests = [
    asked('1', handedTo(alan)),
    asked('2'),
    asked('3', handedTo(grace)),
    asked('4', handedTo(alan)),
  ];
  expect(waitingThread(requests)).toEqual({ holder: null, isWaiting: true, askedOf: [alan.id, grace.id] });
  const approved = { by: 'two' as const, approvedBy: [{ by: 'team' as const, ...alan }] };
  expect(waitingThread([asked('1', { ...handedTo(alan), ...approved })])).toMatchObject({ askedOf: [] });
  const answered = { ...handedTo(alan), response: { requestId: '1', optionId: 'approve' } };
  expect(waitingThread([asked('1', answered)])).toEqual({ holder: null, isWaiting: false, askedOf: [] });
});
