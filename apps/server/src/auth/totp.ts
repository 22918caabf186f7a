import { createHmac, randomBytes } from 'node:crypto';

/** What every authenticator app assumes: RFC 6238 with SHA-1, six digits, and steps of half a minute. */
const stepMs = 30_000;
const digits = 6;
/** A code of the step before or after: clocks differ, and typing takes its time. */
const tolerance = 1;
/** RFC 4226 §4 asks for 160 bits. */
const secretBytes = 20;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newTotpSecret = (): Buffer => randomBytes(secretBytes);

export const totpStep = (at: number): number => Math.floor(at / stepMs);

/** RFC 4226 §5.3. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const truncated = mac.readUInt32BE(mac[mac.length - 1]! & 15) & 0x7fffffff;
  return String(truncated % 10 ** digits).padStart(digits, '0');
}

/** The step whose code this is, if it is near to now and later than one that was used; else null. */
export function matchTotp(
  secret: Uint8Array,
  code: string,
  { now, usedStep }: { readonly now: number; readonly usedStep: number },
): number | null {
  const current = totpStep(now);
  for (let step = current - tolerance; step <= current + tolerance; step++)
    if (step > usedStep && totpCode(secret, step) === code) return step;
  return null;
}

/** RFC 4648 §6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[parseInt(five.padEnd(5, '0'), 2)]).join('');
}
