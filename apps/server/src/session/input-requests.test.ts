import type { InputRequest, InputResponse } from '@parley/protocol/ask';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveInput } from './input-requests.ts';
import type { PendingRequest } from './state/phase.ts';

function approval(requestId: string): InputRequest {
  return {
    requestId,
    kind: 'tool-approval',
    prompt: 'May I?',
    action: { kind: 'tool-call', callId: `call of ${requestId}`, toolName: 'erase', input: {} },
    options: [
      { id: 'approve', label: 'Yes' },
      { id: 'deny', label: 'No' },
    ],
  };
}

function question(requestId: string, more: Partial<InputRequest> = {}): InputRequest {
  return {
    requestId,
    kind: 'question',
    prompt: 'Which?',
    action: { kind: 'tool-call', callId: requestId, toolName: 'ask_question', input: {} },
    ...more,
  };
}

const options = [
  { id: 'red', label: 'Crimson' },
  { id: '7', label: 'Seven' },
];

const now = Date.parse('2026-11-20T16:00:00Z');

const pending = (request: InputRequest, more: Partial<PendingRequest> = {}): PendingRequest => ({
  request,
  response: null,
  expiresAt: null,
  expired: false,
  by: 'visitor',
  ...more,
});
const open = (...requests: InputRequest[]): PendingRequest[] => requests.map((request) => pending(request));

const outcome = (requests: PendingRequest[], responses: InputResponse[], text: string | null = null) => {
  const { answered, stale, textUsed, status } = resolveInput(requests, {
    responses,
    text,
    at: now,
    timing: 'after',
    by: 'visitor',
  });
  return { answered, stale, textUsed, status };
};

test('nothing asked: responses are stale', () => {
  const response = { requestId: 'a', optionId: 'approve' };
  expect(outcome([], [response])).toMatchObject({ answered: [], stale: [response] });
});

test('an approval waits for its answer, and a second answer to it is stale', () => {
  const [first, second] = ['approve', 'deny'].map((optionId) => ({ requestId: 'a', optionId }));
  expect(outcome(open(approval('a')), [], 'Hello?').status).toBe('open');
  expect(outcome(open(approval('a')), [first!, second!])).toEqual({
    answered: [first],
    stale: [second],
    textUsed: false,
    status: 'settled',
  });
});

test('an answer that was held is kept; answering it again is stale', () => {
  const held = { requestId: 'a', optionId: 'approve' };
  const requests = [pending(approval('a'), { response: held }), ...open(approval('b'))];
  const again = { requestId: 'a', optionId: 'deny' };
  const last = { requestId: 'b', optionId: 'deny' };
  const {
    requests: merged,
    stale,
    status,
  } = resolveInput(requests, {
    responses: [again, last],
    text: null,
    at: now,
    timing: 'after',
    by: 'visitor',
  });
  expect(merged.map(({ response }) => response)).toEqual([held, last]);
  expect([stale, status]).toEqual([[again], 'settled']);
});

test('an approval that expired cannot be given, and settles what waited for it', () => {
  const approved = { requestId: 'a', optionId: 'approve' };
  const until = (expiresAt: number) => [pending(approval('a'), { expiresAt })];
  expect(outcome(until(now + 1), [approved])).toMatchObject({ answered: [approved], status: 'settled' });
  const late = resolveInput(until(now), {
    responses: [approved],
    text: 'yes',
    at: now,
    timing: 'after',
    by: 'visitor',
  });
  expect(late).toMatchObject({ answered: [], stale: [approved], textUsed: false, status: 'settled' });
  expect(late.expired.map(({ requestId }) => requestId)).toEqual(['a']);
  expect(
    resolveInput(late.requests, { responses: [], text: null, at: now, timing: 'after', by: 'visitor' })
      .expired,
  ).toEqual([]);
});

test.each([
  ['visitor', 'visitor', true],
  ['visitor', 'team', false],
  ['team', 'visitor', false],
  ['team', 'team', true],
  ['either', 'visitor', true],
  ['either', 'team', true],
] as const)('what is asked of the %s is answered by the %s: %s', (of, by, counts) => {
  const requests = [pending(approval('a'), { by: of })];
  const yes = { requestId: 'a', optionId: 'approve' };
  const given = { at: now, timing: 'after' as const, by };
  const status = counts ? 'settled' : 'open';
  // It waits for somebody else still: what was answered is not said either.
  const expected = { answered: counts ? [yes] : [], stale: [], status };
  expect(resolveInput(requests, { ...given, responses: [yes], text: null })).toMatchObject(expected);
  expect(resolveInput(requests, { ...given, responses: [], text: 'yes' }).status).toBe(status);
});

test('an answer that was held does not expire', () => {
  const held = { requestId: 'a', optionId: 'approve' };
  const requests = [pending(approval('a'), { response: held, expiresAt: now - 1 }), ...open(approval('b'))];
  const {
    requests: merged,
    expired,
    status,
  } = resolveInput(requests, { responses: [], text: null, at: now, timing: 'after', by: 'visitor' });
  expect(merged).toEqual(requests);
  expect([expired, status]).toEqual([[], 'open']);
});

test.each([
  ['approve', 'approve'],
  [' YES\n', 'approve'],
  ['1', 'approve'],
  ['no', 'deny'],
  ['2', 'deny'],
])('the text %j names %s of the one open approval', (text, optionId) => {
  expect(outcome(open(approval('a')), [], text)).toEqual({
    answered: [{ requestId: 'a', optionId }],
    stale: [],
    textUsed: true,
    status: 'settled',
  });
});

test.each(['0', '3', 'yes please', '', '-1', '1.0'])('the text %j answers no approval', (text) => {
  expect(outcome(open(approval('a')), [], text)).toMatchObject({ textUsed: false, status: 'open' });
});

test('with two approvals open a text answers neither', () => {
  expect(outcome(open(approval('a'), approval('b')), [], 'yes')).toMatchObject({
    answered: [],
    textUsed: false,
    status: 'open',
  });
});

test('beside responses a text is a message', () => {
  const response = { requestId: 'a', optionId: 'deny' };
  expect(outcome(open(approval('a')), [response], 'yes')).toMatchObject({
    answered: [response],
    textUsed: false,
  });
});

test.each<[string, Partial<InputRequest>, string, object]>([
  ['an option', { options }, 'red', { optionId: 'red' }],
  ['a label', { options }, 'crimson', { optionId: 'red' }],
  ['an id that looks like a number', { options }, '7', { optionId: '7' }],
  ['a number', { options }, '1', { optionId: 'red' }],
  ['own words', { options, allowFreeform: true }, ' teal ', { text: ' teal ' }],
  ['a question without options', {}, 'teal', { text: 'teal' }],
  ['a question with an empty list', { options: [], allowFreeform: false }, 'teal', { text: 'teal' }],
])('a text answers a question: %s', (_what, more, text, answer) => {
  expect(outcome(open(question('q', more)), [], text)).toEqual({
    answered: [{ requestId: 'q', ...answer }],
    stale: [],
    textUsed: true,
    status: 'settled',
  });
});

test('a text that is none of the options drops the question', () => {
  expect(outcome(open(question('q', { options })), [], 'teal')).toEqual({
    answered: [],
    stale: [],
    textUsed: false,
    status: 'settled',
  });
});

test('a text answers the first question that takes it', () => {
  const requests = open(question('q', { options }), question('r'), question('s'));
  expect(outcome(requests, [], 'teal').answered).toEqual([{ requestId: 'r', text: 'teal' }]);
});

test('whatever comes in: nothing is lost, answers never change, approvals are never skipped', () => {
  const ids = ['a', 'b', 'q', 'r'];
  const response = fc.record({
    requestId: fc.constantFrom(...ids, 'other'),
    optionId: fc.constantFrom('approve', 'deny', 'red'),
  });
  const input = fc.tuple(fc.array(response, { maxLength: 4 }), fc.option(fc.constantFrom('yes', 'red', 'x')));
  fc.assert(
    fc.property(fc.subarray(ids), fc.array(input, { maxLength: 5 }), (asked, inputs) => {
      let requests = open(
        ...asked.map((id) => (id < 'c' ? approval(id) : question(id, id === 'q' ? { options } : {}))),
      );
      for (const [responses, text] of inputs) {
        const before = requests;
        const resolved = resolveInput(requests, { responses, text, at: now, timing: 'after', by: 'visitor' });
        const taken = resolved.answered.length - Number(resolved.textUsed);
        expect(taken + resolved.stale.length).toBe(responses.length);
        for (const [index, { response: given }] of before.entries())
          if (given) expect(resolved.requests[index]?.response).toBe(given);
        const waiting = resolved.requests.some(
          ({ request, response: given }) => request.kind === 'tool-approval' && given === null,
        );
        if (waiting) expect(resolved.status).toBe('open');
        if (!waiting && resolved.answered.length > 0) expect(resolved.status).toBe('settled');
        if (resolved.status === 'settled') return;
        requests = [...resolved.requests];
      }
    }),
  );
});

test('what was accepted before it was asked answers nothing; where that is not known, a text does not', () => {
  const requests = open(approval('a'), question('b'));
  const given = {
    responses: [{ requestId: 'a', optionId: 'approve' }],
    text: null,
    at: now,
    by: 'visitor' as const,
  };
  const early = resolveInput(requests, { ...given, timing: 'before' });
  expect(early).toMatchObject({ answered: [], stale: given.responses, status: 'open' });
  expect(resolveInput(requests, { ...given, timing: 'unknown' }).answered).toEqual(given.responses);
  for (const timing of ['before', 'unknown'] as const) {
    const said = resolveInput(requests, { responses: [], text: 'yes', at: now, timing, by: 'visitor' });
    expect(said).toMatchObject({ answered: [], textUsed: false, status: 'open' });
  }
});
