import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

function logged(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  createLogger('info', { write: (line) => void lines.push(line) }).info(fields, 'said');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith('}\n')).toBe(true);
  return JSON.parse(lines[0]!) as Record<string, unknown>;
}

test('a field that is named for a secret is redacted, whatever it holds and however deep it stands', () => {
  const line = logged({
    token: 'plain',
    headers: { Authorization: 'Bearer plain', 'set-cookie': ['plain=1'], host: 'shop.example' },
    list: [{ deep: { deeper: { apiKey: { value: 'plain' }, count: 3 } } }],
  });
  expect(JSON.stringify(line)).not.toContain('plain');
  expect(line).toMatchObject({
    token: '[redacted]',
    headers: { Authorization: '[redacted]', 'set-cookie': '[redacted]', host: 'shop.example' },
    list: [{ deep: { deeper: { apiKey: '[redacted]', count: 3 } } }],
    msg: 'said',
  });
});

test('keys, tokens and ids of sessions are redacted inside any text, also beside a secret field', () => {
  const sessionId = `ses_${'0f'.repeat(16)}`;
  const line = logged({
    secret: 'plain',
    path: `/of/${sessionId}`,
    err: new Error('sk_live_abc was refused'),
  });
  expect(JSON.stringify(line)).not.toMatch(/plain|0f0f|sk_live_abc/);
  expect(line['err']).toMatchObject({ type: 'Error', message: 'sk_live_[redacted] was refused' });
});

test('secret fields of an error, of what caused it and of lists are redacted in any case of letters', () => {
  const cause = Object.assign(new Error('the cause'), { PASSWORD: 'plain' });
  const failure = Object.assign(new Error('the failure', { cause }), {
    token: 'plain',
    config: { headers: [{ AUTHORIZATION: 'plain' }] },
  });
  const line = logged({
    err: new AggregateError([failure], 'both'),
    error: failure,
    list: [{ Key: 'plain' }],
  });
  expect(JSON.stringify(line)).not.toContain('plain');
  expect(line['err']).toMatchObject({ aggregateErrors: [{ token: '[redacted]' }] });
});

test('a text that reads like a secret field, and names with quotes, are no fields and stay as they are', () => {
  const fields = { note: 'the field "token": is missing', 'a "token":': 1 };
  expect(logged({ ...fields, key: 'plain' })).toMatchObject({ ...fields, key: '[redacted]' });
});

test('a cause that says what its error says is said once', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const cause = new Error('Port 9 is not open.');
  logger.warn({ err: new Error(cause.message, { cause }) }, 'a turn failed');
  logger.warn({ err: new Error('No answer', { cause }) }, 'a turn failed');
  const messages = lines.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message);
  expect(messages).toEqual(['Port 9 is not open.', 'No answer: Port 9 is not open.']);
});
