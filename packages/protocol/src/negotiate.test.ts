import { expect, test } from 'vitest';
import { negotiate, negotiateTurn } from './negotiate.ts';

test.each([
  [undefined, 'json', 'json'],
  ['', 'json', 'json'],
  ['*/*', 'json', 'event-stream'],
  ['application/json', 'json', 'json'],
  ['text/plain', 'plain-text', 'plain-text'],
  ['text/event-stream', 'event-stream', 'event-stream'],
  ['TEXT/Event-Stream; charset=utf-8', 'event-stream', 'event-stream'],
  ['text/plain;format=flowed; Q=0.9', 'plain-text', 'plain-text'],
  ['application/json, text/plain, */*', 'json', 'json'],
  ['text/event-stream, */*;q=0.1', 'event-stream', 'event-stream'],
  ['text/plain;q=0.5, text/event-stream;q=0.9', 'event-stream', 'event-stream'],
  ['text/plain, text/event-stream', 'event-stream', 'event-stream'],
  ['text/plain, text/event-stream, application/json', 'json', 'json'],
  ['text/*', 'event-stream', 'event-stream'],
  ['application/*', 'json', 'json'],
  ['text/*, text/event-stream;q=0', 'plain-text', 'plain-text'],
  ['*/*, application/json;q=0', 'event-stream', 'event-stream'],
  ['text/html, */*;q=0.8', 'json', 'event-stream'],
  ['text/plain;q=0.2, */*;q=0.8', 'json', 'event-stream'],
  ['text/plain;a="x,y", image/png', 'plain-text', 'plain-text'],
  ['image/png', null, null],
  ['application/json;q=0', null, null],
  ['application/json;q=2', null, null],
  ['application/json;q=high, text/plain;q=0.1', 'plain-text', 'plain-text'],
  [',;,', null, null],
] as const)('%s: a text gets %s, a UI message %s', (accept, text, message) => {
  expect(negotiate(accept, 'text')).toBe(text);
  expect(negotiate(accept, 'message')).toBe(message);
});

test.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['application/json', 'json'],
  ['text/html', 'json'],
  ['application/x-ndjson', 'stream'],
  ['Application/X-NDJSON; charset=utf-8', 'stream'],
  ['application/x-ndjson, application/json;q=0', 'stream'],
  ['application/x-ndjson, application/json;q=0.9', 'stream-or-json'],
  ['application/x-ndjson, */*;q=0.1', 'stream-or-json'],
  ['*/*, application/x-ndjson', 'stream-or-json'],
  ['application/x-ndjson, application/json', 'json'],
  ['application/x-ndjson;q=0.5, application/json', 'json'],
  ['application/x-ndjson;q=0.5, */*', 'json'],
  ['application/x-ndjson;q=0', 'json'],
  [`application/x-ndjson, ${'text/plain, '.repeat(1_000)}`, 'json'],
] as const)('%s: a create or a follow-up gets %s', (accept, reply) => {
  expect(negotiateTurn(accept)).toBe(reply);
});

test('a hostile header is answered at once', () => {
  expect(negotiate('"'.repeat(16_000), 'text')).toBe(null);
  expect(negotiate('"\\'.repeat(8_000), 'text')).toBe(null);
  expect(negotiate('text/plain;q=0.1,'.repeat(1_000), 'text')).toBe('plain-text');
});
