import type { Secrets } from '../crypto/secrets.ts';
import type { Quota } from '../store/limit-store.ts';
import { addressBucket } from './address.ts';

const windowMs = 15 * 60_000;
/** Of one name from one address, or in a browser that knows it: ten guesses lead nowhere, and a person has remembered by then. */
const perAccount = 10;
/** Of one network address: an office signs in through one. */
const perAddress = 30;
/** Of one name from wherever: far more than a person needs, and some ten thousand guesses a day of those with many addresses. */
const perAccountAnywhere = 100;

const codeWindowMs = 3_600_000;
/** Codes for one member, in browsers that know them and in all others: of a million, three are right at a time. */
const codesPerMember = 10;

interface Attempt {
  /** Null: an invitation, which has no name yet. */
  readonly account: string | null;
  readonly address: string;
  /** Somebody has signed in with this name in this browser before. */
  readonly isKnown: boolean;
}

/**
 * What an attempt to sign in counts against. A successful one counts too, or it would tell what a wrong one is. A known
 * browser counts for itself alone: whatever strangers guess, who works with a name is not locked out by it.
 */
export function signInQuotas(secrets: Pick<Secrets, 'mac'>, { account, address, isKnown }: Attempt): Quota[] {
  const bucket = addressBucket(secrets, address, Date.now());
  const quota = (scope: string, limit: number) => ({ scope: `signIns:${scope}`, limit, windowMs, amount: 1 });
  const ofName = (where: string, limit: number) =>
    quota(`account:${secrets.mac('sign-in', JSON.stringify([account, where])).slice(0, 22)}`, limit);
  if (account !== null && isKnown) return [ofName('known', perAccount)];
  const byAddress = quota(`address:${bucket}`, perAddress);
  if (account === null) return [byAddress];
  return [byAddress, ofName(bucket, perAccount), ofName('anywhere', perAccountAnywhere)];
}

/** What a code counts against whose sender has the member's password; those in a known browser are locked out by nobody else. */
export function codeQuotas(
  secrets: Pick<Secrets, 'mac'>,
  { memberId, isKnown }: { readonly memberId: string; readonly isKnown: boolean },
): Quota[] {
  const of = secrets.mac('sign-in', JSON.stringify(['code', memberId, isKnown])).slice(0, 22);
  return [{ scope: `signIns:account:${of}`, limit: codesPerMember, windowMs: codeWindowMs, amount: 1 }];
}
