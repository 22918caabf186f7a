import type { Violation } from '@parley/protocol/problem';
import { expect, expectTypeOf, test } from 'vitest';
import { answerError } from './error.ts';

test.for([
  ['of Google, Vercel and Azure', { error: { code: 503, message: 'Try later.', status: 'UNAVAILABLE' } }],
  ['of Kubernetes', { kind: 'Status', status: 'Failure', code: 503, message: 'no endpoints' }],
  ['of a gateway', { error: 'upstream', code: 'ECONNREFUSED', requestId: 7, retryAfter: 'soon' }],
  ['that is a text', 'Service Unavailable'],
  ['that is a list', [{ code: 'QUOTA_EXCEEDED' }]],
  ['that says ok: false too, with a status', { ok: false, code: 503, error: { reason: 'away' } }],
  ['that says ok: false too, with a word', { ok: false, error: 'upstream_away', status: 200 }],
] as const)('the JSON %s, which stands in between, is a protocol error', async ([, body]) => {
  const headers = { 'x-request-id': 'r1', 'retry-after': '7' };
  const error = await answerError(Response.json(body, { status: 503, headers }));
  expect(error).toMatchObject({
    name: 'ParleyError',
    code: 'PROTOCOL',
    message: 'The server answered 503.',
    status: 503,
    requestId: 'r1',
    retryAfter: 7,
  });
});

const date = 'Mon, 30 Nov 2026 12:00:00 GMT';

test.for([
  ['a date, by the clock of whoever names it', { 'retry-after': 'Mon, 30 Nov 2026 12:02:00 GMT', date }, 120],
  ['a date of an earlier form', { 'retry-after': 'Monday, 30-Nov-26 12:00:30 GMT', date }, 30],
  ['a date that is over', { 'retry-after': 'Mon, 30 Nov 2026 11:59:00 GMT', date }, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['no time', { 'retry-after': 'later' }, undefined],
  ['a number that two proxies name', { 'retry-after': '30, 30' }, 30],
] as const)('who is to come back at %s waits so many seconds', async ([, headers, seconds]) => {
  const error = await answerError(new Response('<h1>Sorry</h1>', { status: 503, headers: { ...headers } }));
  expect(error.retryAfter).toBe(seconds);
});

test.for([-5, 'soon', null])('what is no time in a problem, as %s, is not waited for', async (retryAfter) => {
  const problem = { ok: false, code: 'UNAVAILABLE', error: 'Later.', requestId: 'r1', retryAfter };
  const named = await answerError(Response.json(problem, { status: 503, headers: { 'retry-after': '7' } }));
  expect(named.retryAfter).toBe(7);
  const unnamed = await answerError(Response.json(problem, { status: 503 }));
  expect(unnamed.retryAfter).toBeUndefined();
});

test('the files that are not taken are named', async () => {
  const violations = [{ kind: 'disallowed-media-type', mediaType: 'text/html', allowedMediaTypes: [] }];
  const problem = { ok: false, code: 'UNSUPPORTED_MEDIA_TYPE', error: 'No.', requestId: 'r1', violations };
  const error = await answerError(Response.json(problem, { status: 415 }));
  expectTypeOf(error.violations).toEqualTypeOf<readonly Violation[] | undefined>();
  expect(error.violations).toEqual(violations);
});

test('a secret key reads why a model did not answer', async () => {
  const problem = { ok: false, error: 'No.', requestId: 'r1' };
  const cause = { code: 'MODEL_KEY_REJECTED', message: 'Correct the key.' };
  const failed = await answerError(
    Response.json({ ...problem, code: 'MODEL_FAILED', cause }, { status: 502 }),
  );
  expect(failed.cause).toEqual(cause);
});

test('no field of an answer is in the place of what an error is', async () => {
  const problem = { ok: false, code: 'NOT_FOUND', error: 'There is none.', requestId: 'r1' };
  const more = { name: 'Answer', message: {}, status: 200 };
  const error = await answerError(Response.json({ ...problem, ...more }, { status: 404 }));
  expect(error).toMatchObject({
    name: 'ParleyError',
    message: 'There is none.',
    status: 404,
    requestId: 'r1',
  });
});
