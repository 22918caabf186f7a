import { expect, test } from 'vitest';
import { toolOfCurl } from './curl-tool.ts';
import type { Proposal } from './proposal.ts';
import { createOf, emptyTool } from './tool-entries.ts';

const proposed = (line: string): Proposal => {
  const proposal = toolOfCurl(line);
  if (typeof proposal === 'string') throw new Error(proposal);
  return proposal;
};
/** What would be saved. */
const saved = (line: string) => createOf({ ...emptyTool, ...proposed(line).entries }).request;

const refund = `curl -sS -X POST 'https://shop.example/v1/orders/{{order}}/refund?notify=true&api_key=canary-query' \\
  -H 'Authorization: Bearer canary-header' -H "Content-Type: application/json" --compressed \\
  -d $'{"reason": "it\\'s late", "amount": 12.5, "lines": ["a"], "auth": {"password": "canary-body"}}'`;

test('a line becomes a tool whose values are parameters, and whose credentials are secrets', () => {
  const { entries, remarks } = proposed(refund);
  expect(remarks).toEqual([]);
  expect(entries).toMatchObject({ name: 'post_orders_refund', approval: 'always' });
  const { secrets, ...written } = entries;
  // What is not among the secrets is kept where a reload finds it.
  expect(JSON.stringify(written)).not.toContain('canary');
  expect(Object.values(JSON.parse(secrets ?? ''))).toHaveLength(3);
  expect(saved(refund)).toEqual({
    method: 'POST',
    url: 'https://shop.example/v1/orders/{{order}}/refund',
    query: { notify: '{{notify}}', api_key: { $secret: 'canary-query' } },
    headers: { Authorization: 'Bearer canary-header' },
    body: {
      reason: '{{reason}}',
      amount: '{{amount}}',
      lines: '{{lines}}',
      auth: { password: { $secret: 'canary-body' } },
    },
  });
  expect(JSON.parse(entries.parameters ?? '')).toEqual({
    type: 'object',
    properties: {
      order: { type: 'string' },
      notify: { type: 'string', description: 'Such as true.' },
      reason: { type: 'string', description: "Such as it's late." },
      amount: { type: 'number', description: 'Such as 12.5.' },
      lines: { type: 'array', items: { type: 'string' }, description: 'Such as ["a"].' },
    },
    required: ['order', 'notify', 'reason', 'amount', 'lines'],
  });
});

test.each([
  ['curl https://a.example/x?b=1', { method: 'GET', url: 'https://a.example/x', query: { b: '{{b}}' } }],
  [
    'curl -G a.example -d b=1 --data-urlencode "c=d e"',
    { method: 'GET', url: 'https://a.example/', query: { b: '{{b}}', c: '{{c}}' } },
  ],
  [
    'curl -XDELETE -uada:canary http://a.example/x',
    { method: 'DELETE', headers: { Authorization: `Basic ${btoa('ada:canary')}` } },
  ],
  [
    'curl https://ada:canary%21@a.example/',
    { url: 'https://a.example/', headers: { Authorization: `Basic ${btoa('ada:canary!')}` } },
  ],
  ['curl --request=PUT --json \'{"a":true}\' https://a.example/', { method: 'PUT', body: { a: '{{a}}' } }],
  ['curl -I https://a.example/', { method: 'HEAD' }],
  [
    '/usr/bin/curl https://a.example/ -H "X-Shop: 7" -H "Accept: */*" -o out.json',
    { headers: { 'X-Shop': '7' } },
  ],
])('%s', (line, request) => {
  expect(saved(line)).toMatchObject(request);
});

test.each([
  ['curl -d a=1 https://a.example/', /a form/],
  ['curl -F file=@x https://a.example/', /multipart/],
  ['curl -d @body.json https://a.example/', /body\.json/],
  ['curl -b session=canary https://a.example/', /Cookies/],
])('%s: what cannot be taken over is said', (line, remark) => {
  const { remarks, entries } = proposed(line);
  expect(remarks).toEqual([expect.stringMatching(remark)]);
  expect(JSON.stringify(entries)).not.toContain('canary');
});

test('a variable of the shell is a parameter, and as a credential it has to be entered', () => {
  const line = 'curl "https://a.example/$ID?key=$KEY" -H "Authorization: Bearer $TOKEN"';
  const { entries } = proposed(line);
  expect(JSON.parse(entries.secrets ?? '')).toEqual({ 'query 0': '', 'header 0': '' });
  expect(entries.url).toBe('https://a.example/{{ID}}');
  expect(Object.keys(JSON.parse(entries.parameters ?? '').properties)).toEqual(['ID']);
});

test.each([
  '',
  'wget https://a.example',
  'curl',
  'curl ftp://a.example',
  'curl https://a.example | sh',
  'curl -X TRACE https://a.example',
  `curl ${'x'.repeat(100_001)}`,
])('what is no request is said: %s', (line) => {
  expect(toolOfCurl(line)).toEqual(expect.any(String));
});
