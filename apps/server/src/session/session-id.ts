import { randomBytes } from 'node:crypto';

/** 128 random bits: with a publishable key, knowing it is the right to read. */
export function createSessionId(): string {
  return `ses_${randomBytes(16).toString('hex')}`;
}
