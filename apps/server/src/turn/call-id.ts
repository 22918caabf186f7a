import { createHash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 9;

/**
 * The id of a step's call, whatever the provider called it: nine letters and digits, which every provider takes back
 * (Mistral takes nothing else), made of where the call stands, so that no two of a session share one.
 */
export function callIdAt(sessionId: string, turn: number, stepIndex: number, position: number): string {
  const digest = createHash('sha256').update(`${sessionId}\n${turn}\n${stepIndex}\n${position}`).digest();
  let rest = digest.readBigUInt64BE();
  let id = '';
  while (id.length < length) {
    id += alphabet[Number(rest % 62n)];
    rest /= 62n;
  }
  return id;
}
