import { APICallError } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { retryAfterOf } from '../egress/retry-after-of.ts';
import { classifyError } from './classify-error.ts';

test.each([
  ['7', 7_000],
  ['0', 0],
  ['1.5', 1_500],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %j is %j ms', (header, milliseconds) => {
  expect(retryAfterOf(header, Date.parse('2026-11-21T12:00:00Z'))).toBe(milliseconds);
});

test.each([
  [{ statusCode: 529, message: 'Overloaded' }, 'unreachable', true],
  [{ type: 'rate_limit_error', message: 'Slow down' }, 'rate-limited', true],
  [{ error: { code: 429, message: 'Slow down' } }, 'rate-limited', true],
  [{ code: '503', message: 'Come back later' }, 'unreachable', true],
  // A rate limit of Bedrock, in the words of a prompt that is too long.
  [{ statusCode: 429, message: 'Too many tokens, please wait before trying again.' }, 'rate-limited', true],
  [{ type: 'invalid_request_error', message: 'No such voice' }, 'refused', false],
  [
    new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }),
    'unreachable',
    true,
  ],
  [new TypeError('terminated'), 'unreachable', true],
  [new TypeError('x is not a function'), 'refused', false],
  ['a string', 'refused', false],
])('%o is %s, tried again: %s', (error, kind, retry) => {
  expect(classifyError(error, 0)).toMatchObject({ error: { name: 'ModelError', kind }, retry });
});

test.each([
  'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
  'Failed to load image or audio file',
  'this model is missing data required for image input',
])('a server that answers 500 with %j has refused a picture', (message) => {
  const responseBody = JSON.stringify({ error: { code: 500, message, type: 'server_error' } });
  const said = { url: 'http://localhost', requestBodyValues: {}, statusCode: 500, responseBody };
  const refused = { error: { name: 'ModelError', kind: 'refused' }, retry: false };
  expect(classifyError(new APICallError({ ...said, message }), 0)).toMatchObject(refused);
  expect(classifyError(new APICallError({ ...said, message: 'Internal' }), 0)).toMatchObject(refused);
  expect(classifyError(JSON.parse(responseBody), 0)).toMatchObject(refused);
});

test('an error inside a started stream is told in the provider’s words, not as JSON', () => {
  expect(classifyError({ error: { code: 400, message: 'No such voice' } }, 0).error.message).toBe(
    'No such voice',
  );
});
