import { z } from 'zod';
import type { MemberRecord } from '../store/settings-store.ts';

const schema = z.strictObject({
  since: z.string(),
  /** Encrypted. */
  secret: z.string(),
  /** The step of the last code that was used: none before it opens. */
  usedStep: z.int(),
  /** Digests of those that are left. */
  recoveryCodes: z.array(z.string()),
});

/** What `MemberRecord.secondFactor` holds. */
export type SecondFactor = z.infer<typeof schema>;

/** The context that a member's secret is encrypted under. */
export const secondFactorContext = (memberId: string): string => `second factor of ${memberId}`;

export const parseSecondFactor = ({ secondFactor }: MemberRecord): SecondFactor | null =>
  secondFactor === null ? null : schema.parse(JSON.parse(secondFactor));

export const storedSecondFactor = (factor: SecondFactor): string => JSON.stringify(factor);
