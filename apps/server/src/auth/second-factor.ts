import type { Secrets } from '../crypto/secrets.ts';
import {
  parseSecondFactor,
  type SecondFactor,
  secondFactorContext,
  storedSecondFactor,
} from '../settings/stored-second-factor.ts';
import type { Collection, MemberRecord } from '../store/settings-store.ts';
import { matchTotp } from './totp.ts';
import { newRecoveryCodes, recoveryCodeDigest } from './recovery-codes.ts';

/** How often a code is looked at again because another request has changed the record meanwhile. */
const maxAttempts = 8;

/** Ten new recovery codes, and what is stored of them. */
export function recoveryCodesFor(memberId: string): { codes: string[]; digests: string[] } {
  const codes = newRecoveryCodes();
  return { codes, digests: codes.map((code) => recoveryCodeDigest(memberId, code)) };
}

/** Whether the code opens for this member, who has a second factor; one that does is used up, whoever else sends it at once. */
export async function takeCode(
  members: Pick<Collection<MemberRecord>, 'get' | 'update'>,
  secrets: Pick<Secrets, 'decrypt'>,
  { member, code }: { readonly member: MemberRecord; readonly code: string },
): Promise<boolean> {
  let current: MemberRecord | null = member;
  for (let attempt = 0; attempt < maxAttempts && current !== null; attempt++) {
    const factor = parseSecondFactor(current);
    const after = factor && afterCode(secrets, current.id, { factor, code });
    if (after === null) return false;
    const { id, secondFactor } = current;
    const used = { secondFactor: storedSecondFactor(after) };
    if ((await members.update(id, used, undefined, { secondFactor })) !== null) return true;
    current = await members.get(id);
  }
  return false;
}

/** What is left once the code has been used; null when it opens nothing. */
function afterCode(
  secrets: Pick<Secrets, 'decrypt'>,
  memberId: string,
  { factor, code }: { readonly factor: SecondFactor; readonly code: string },
): SecondFactor | null {
  const { secret, usedStep, recoveryCodes } = factor;
  const digits = code.replaceAll(/[\s-]/g, '');
  if (/^\d{6}$/.test(digits)) {
    const opened = Buffer.from(secrets.decrypt(secret, secondFactorContext(memberId)), 'base64');
    const step = matchTotp(opened, digits, { now: Date.now(), usedStep });
    return step === null ? null : { ...factor, usedStep: step };
  }
  const digest = recoveryCodeDigest(memberId, code);
  if (!recoveryCodes.includes(digest)) return null;
  return { ...factor, recoveryCodes: recoveryCodes.filter((each) => each !== digest) };
}
