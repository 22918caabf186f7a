import { z } from 'zod';
import type { Secrets } from '../crypto/secrets.ts';
import { parseSecrets } from '../settings/parse-secrets.ts';
import { matchTotp, newTotpSecret, toBase32 } from './totp.ts';

/** From the QR code to its first code. */
const setupMs = 10 * 60_000;

const schema = z.strictObject({ secret: z.string(), until: z.number() });
const context = (memberId: string): string => `second factor set up by ${memberId}`;

interface Setup {
  /** In base 64. */
  readonly secret: string;
  /** The step of the code that proved that an app has the secret. */
  readonly usedStep: number;
}

/** A new secret for whoever sets an authenticator app up: nothing is stored before the app has shown a code. */
export function newSetup(
  secrets: Pick<Secrets, 'encrypt'>,
  { id, name }: { readonly id: string; readonly name: string },
  issuer: string,
): { readonly secret: string; readonly address: string; readonly setup: string } {
  const secret = newTotpSecret();
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`;
  const base32 = toBase32(secret);
  const stored = { secret: secret.toString('base64'), until: Date.now() + setupMs };
  return {
    secret: base32,
    address: `otpauth://totp/${label}?secret=${base32}&issuer=${encodeURIComponent(issuer)}`,
    setup: secrets.encrypt(JSON.stringify(stored), context(id)),
  };
}

/** The secret that `newSetup` gave to this member; `expired` for what is no setup or too old, `wrong` for a code that is not its. */
export function confirmSetup(
  secrets: Pick<Secrets, 'decrypt'>,
  memberId: string,
  { setup, code }: { readonly setup: string; readonly code: string },
): Setup | 'expired' | 'wrong' {
  const opened = openSetup(secrets, memberId, setup);
  const now = Date.now();
  if (opened === null || opened.until <= now) return 'expired';
  const digits = code.replaceAll(/[\s-]/g, '');
  const usedStep = matchTotp(Buffer.from(opened.secret, 'base64'), digits, { now, usedStep: 0 });
  return usedStep === null ? 'wrong' : { secret: opened.secret, usedStep };
}

function openSetup(secrets: Pick<Secrets, 'decrypt'>, memberId: string, setup: string) {
  try {
    return parseSecrets(schema, secrets.decrypt(setup, context(memberId)));
  } catch {
    return null;
  }
}
