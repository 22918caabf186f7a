import { expect, test } from 'vitest';
import type { Egress, EgressAnswer, EgressFailure } from '../../egress/egress.ts';
import { fetchPage } from './fetch-page.ts';
import { readRobots } from './read-robots.ts';

const signal = new AbortController().signal;
const rules = 'User-agent: *\nDisallow: /private';

/** What is done about a page of a website whose robots.txt is answered so. */
async function judged(...answers: (EgressAnswer | EgressFailure)[]) {
  const egress: Pick<Egress, 'request'> = { request: async () => answers.shift()! };
  const robots = await readRobots('https://shop.example/about', (url) =>
    fetchPage(egress, {
      tenantId: 't',
      url,
      version: null,
      accept: '*/*',
      isText: true,
      signal,
      follows: () => true,
    }),
  );
  if ('problem' in robots) return robots.problem;
  return robots.isDisallowed('https://shop.example/private', 'ParleyReader') === true
    ? 'obeyed'
    : 'nothing asked';
}

const answer = (status: number, text: string, contentType = 'text/plain'): EgressAnswer => ({
  outcome: 'answer',
  status,
  contentType,
  text,
  etag: null,
  contentSecurityPolicy: null,
});
const redirect: EgressFailure = { outcome: 'redirect', status: 301, location: '/robots.txt', message: '' };

test.each([
  ['rules', [answer(200, rules)], 'obeyed'],
  ['rules without a type', [answer(200, rules, '')], 'obeyed'],
  ['rules behind a redirect', [redirect, answer(200, rules)], 'obeyed'],
  ['rules that are said to be HTML', [answer(200, rules, 'text/html')], 'obeyed'],
  ['the page of an application', [answer(200, `\n<!DOCTYPE html>\n${rules}`)], 'nothing asked'],
  ['no such page', [answer(404, rules)], 'nothing asked'],
  ['no access', [answer(403, rules)], 'nothing asked'],
  ['redirects without end', Array<EgressFailure>(6).fill(redirect), 'nothing asked'],
])('%s', async (_, answers, expected) => {
  expect(await judged(...answers)).toBe(expected);
});

test.each([
  ['trouble of the server', answer(500, rules), 'The address answered 500.'],
  [
    'no answer',
    { outcome: 'timeout', sent: true, message: 'No answer within 15000 ms.' },
    'No answer within 15000 ms.',
  ],
  ['a body that is too large', { outcome: 'too-large', status: 200, message: 'Too large.' }, 'Too large.'],
  [
    'a private address',
    { outcome: 'denied', reason: 'address', message: 'Not public.', explanation: 'Not public.' },
    'Not public.',
  ],
] satisfies [string, EgressAnswer | EgressFailure, string][])(
  '%s: nothing is read, with the reason',
  async (_, outcome, reason) => {
    expect(await judged(outcome)).toBe(
      `Its robots.txt could not be read, so its pages are left alone until it can. ${reason}`,
    );
    expect(await judged(redirect, outcome)).toContain(reason);
  },
);
