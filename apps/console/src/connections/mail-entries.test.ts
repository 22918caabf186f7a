import { expect, test } from 'vitest';
import { mailChanges, newMail } from './mail-entries.ts';

const before = {
  ...newMail('agent_1'),
  host: 'smtp.example.com',
  recipients: '@example.com',
  notices: 'yes',
};

test('what was not entered is not sent, so that nobody is written to again who was struck out', () => {
  expect(mailChanges(before, before)).toEqual({});
  expect(mailChanges(before, { ...before, fromName: ' Desk ' })).toEqual({ fromName: 'Desk' });
  expect(mailChanges(before, { ...before, recipients: '@example.com a@b.example' })).toEqual({
    recipients: ['@example.com', 'a@b.example'],
  });
  expect(mailChanges(before, { ...before, notices: '' })).toEqual({ notices: null });
});

test('a password goes to no server but the one that it was entered for', () => {
  expect(mailChanges(before, { ...before, password: 'p' })).toEqual({
    password: 'p',
    host: 'smtp.example.com',
  });
});
