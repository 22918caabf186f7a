import { expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { isRefused, messageIdOf } from './message-id.ts';

test('a text that is sent again has the id that it had, and another text has one of its own', () => {
  const sent = { messageId: 'one', messageText: 'On its way.' };
  expect(messageIdOf(sent, 'On its way.')).toBe('one');
  expect(messageIdOf(sent, 'On its way!')).toMatch(/^[\da-f-]{36}$/);
  expect(messageIdOf({ messageId: '', messageText: '' }, '')).toMatch(/^[\da-f-]{36}$/);
});

test('an id is given up where the service refuses what has it, and not where it may still be said', () => {
  const problem = (
    status: number,
    code: ApiError['code'],
    issues: { path: string[]; message: string }[] = [],
  ) => new ApiError(status, { error: 'x', ...(code && { code }), issues });
  expect(isRefused(problem(409, 'CONFLICT'))).toBe(true);
  expect(isRefused(problem(400, 'BAD_REQUEST', [{ path: ['id'], message: 'x' }]))).toBe(true);
  expect(isRefused(problem(503, 'UNAVAILABLE'))).toBe(false);
  // These answer the request alone: an earlier one with the id may have been accepted.
  expect(isRefused(problem(401, 'UNAUTHORIZED'))).toBe(false);
  expect(isRefused(problem(429, 'RATE_LIMITED'))).toBe(false);
  expect(isRefused(new TypeError('Failed to fetch'))).toBe(false);
});
