import { expect } from 'vitest';
import { totpCode, totpStep } from '../auth/totp.ts';
import { type ConsoleBrowser, consolePassword } from './console-browser.ts';

export const secondFactorPath = '/session/second-factor';

/** Of this half minute, or of one away from it: each opens once. */
export const codeOf = (secret: Buffer, away = 0): string => totpCode(secret, totpStep(Date.now()) + away);

/** What the app that is set up in this browser holds, and the recovery codes. */
export async function setUpApp(browser: ConsoleBrowser) {
  const { body } = await browser('POST', secondFactorPath, { password: consolePassword });
  const secret = fromBase32(body.secret);
  const sent = { setup: body.setup, code: codeOf(secret) };
  const on = await browser('POST', `${secondFactorPath}/confirm`, sent);
  expect(on.status, JSON.stringify(on.body)).toBe(200);
  const codes: string[] = on.body.recoveryCodes;
  return { secret, address: String(body.address), setup: String(body.setup), codes };
}

/** RFC 4648, section 6. */
export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}
