import { ParleyError } from '@parley/client/error';
import { expect, test } from 'vitest';
import { cardLabels } from '../i18n/card-labels.ts';
import { fill, labels, type Words } from '../i18n/labels.ts';
import { problemText } from './problem-text.ts';

const words: Words = {
  label: (name, values = {}) => fill({ ...labels, ...cardLabels }[name], values),
  locale: 'en',
};
const refused = (details: object) =>
  Object.assign(new ParleyError('QUOTA_EXCEEDED', 'x', { status: 429, ...details }), { violations: [] });

test('files that the conversation has no room for are the reason, not a limit that ends', () => {
  expect(problemText(refused({}), words)).toBe('Together, the files are too large.');
  expect(problemText(refused({ retryAfter: 60 }), words)).toBeUndefined();
});
