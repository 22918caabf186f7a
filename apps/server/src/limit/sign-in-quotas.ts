import type { Secrets } from '../crypto/secrets.ts';
import type { Quota } from '../store/limit-store.ts';
import { addressBucket } from './address.ts';

const windowMs = 15 * 60_000;
/** Of one name: ten guesses lead nowhere, and a person has remembered by then. */
const perAccount = 10;
/** Of one network address: an office signs in through one. */
const perAddress = 30;

/** What an attempt to sign in counts against. A successful one counts too, or it would tell what a wrong one is. */
export function signInQuotas(
  secrets: Pick<Secrets, 'mac'>,
  { account, address }: { readonly account: string | null; readonly address: string },
): Quota[] {
  const bucket = addressBucket(secrets, address, Date.now());
  const byAddress = { scope: `signIns:address:${bucket}`, limit: perAddress, windowMs, amount: 1 };
  if (account === null) return [byAddress];
  const name = secrets.mac('sign-in', account).slice(0, 22);
  return [byAddress, { scope: `signIns:account:${name}`, limit: perAccount, windowMs, amount: 1 }];
}
