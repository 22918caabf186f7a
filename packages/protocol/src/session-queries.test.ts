import { parse } from 'node:querystring';
import { expect, test } from 'vitest';
import { firstIssue } from './first-issue.ts';
import { sessionListQuerySchema, streamQuerySchema, transcriptQuerySchema } from './session-queries.ts';

function read(query: string) {
  const result = streamQuerySchema.safeParse(parse(query));
  return result.success ? { ok: true, value: result.data } : { ok: false, ...firstIssue(result.error) };
}

test.each([
  ['', 0],
  ['startIndex=0', 0],
  ['startIndex=-0', 0],
  ['startIndex=12', 12],
  ['startIndex=-3', -3],
  ['startIndex=007', 7],
  ['startIndex=1&startIndex=2', 1],
  ['startIndex=9007199254740991', Number.MAX_SAFE_INTEGER],
])('%s starts at %i', (query, startIndex) => {
  expect(read(query)).toEqual({
    ok: true,
    value: { startIndex, includeTailIndex: false, soFar: true },
  });
});

test.each(['', 'abc', '1.5', '1e3', '%2B1', ' 1', '0x1', '9007199254740992'])(
  'startIndex=%s is refused',
  (text) => {
    expect(read(`startIndex=${text}`)).toEqual({
      ok: false,
      message: 'Expected startIndex to be an integer.',
      path: ['startIndex'],
    });
  },
);

test('only 1 and true ask for the tail index, only 0 leaves the text so far out', () => {
  const wanted = (query: string) => {
    const { includeTailIndex, soFar } = streamQuerySchema.parse(parse(query));
    return [includeTailIndex, soFar];
  };
  expect(wanted('includeTailIndex=1&soFar=0')).toEqual([true, false]);
  expect(wanted('includeTailIndex=true&soFar=1')).toEqual([true, true]);
  expect(wanted('includeTailIndex=yes&soFar=false')).toEqual([false, true]);
});

test('a list has 20 entries by default and 100 at most, a transcript is a text', () => {
  expect(sessionListQuerySchema.parse({})).toEqual({ limit: 20, cursor: null });
  expect(sessionListQuerySchema.parse(parse('limit=100&cursor=a-b&other=1'))).toEqual({
    limit: 100,
    cursor: 'a-b',
  });
  for (const query of ['limit=0', 'limit=101', 'limit=', 'limit=1e1', 'cursor=', 'cursor=a%20b'])
    expect(sessionListQuerySchema.safeParse(parse(query)).success, query).toBe(false);
  expect(transcriptQuerySchema.parse({})).toEqual({ format: 'text' });
  expect(transcriptQuerySchema.safeParse({ format: 'pdf' }).success).toBe(false);
});
