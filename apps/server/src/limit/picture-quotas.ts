import type { Quota } from '../store/limit-store.ts';

/** Of one member: each change stays in the log of changes for good. */
const perMember = 20;

/** What a change of one’s own picture counts against. */
export const pictureQuotas = (memberId: string): Quota[] => [
  { scope: `pictures:member:${memberId}`, limit: perMember, windowMs: 3_600_000, amount: 1 },
];
