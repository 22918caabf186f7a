import { expect, test } from 'vitest';
import { matchTotp, toBase32, totpCode, totpStep } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238, appendix B, and of RFC 4226, appendix D', () => {
  const seconds = [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000];
  expect(seconds.map((at) => totpCode(secret, totpStep(at * 1_000)))).toEqual([
    '287082',
    '081804',
    '050471',
    '005924',
    '279037',
    '353130',
  ]);
  expect([0, 1, 9].map((counter) => totpCode(secret, counter))).toEqual(['755224', '287082', '520489']);
});

test('a code is good for the step before and after its own, and once', () => {
  const now = 1_111_111_109_000;
  const step = totpStep(now);
  const steps = [-2, -1, 0, 1, 2].map((away) =>
    matchTotp(secret, totpCode(secret, step + away), { now, usedStep: 0 }),
  );
  expect(steps).toEqual([null, step - 1, step, step + 1, null]);
  const again = matchTotp(secret, totpCode(secret, step), { now, usedStep: step });
  expect(again).toBeNull();
  expect(matchTotp(secret, '000000', { now, usedStep: 0 })).toBeNull();
});

test('base 32 is that of RFC 4648, section 10', () => {
  const texts = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
  expect(texts.map((text) => toBase32(Buffer.from(text)))).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ]);
});
