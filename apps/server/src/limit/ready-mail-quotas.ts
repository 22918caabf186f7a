import type { KeyPrincipal } from '../auth/principal.ts';
import type { Secrets } from '../crypto/secrets.ts';
import { mailboxOf } from '../mail/mailbox-of.ts';
import type { Quota } from '../store/limit-store.ts';

/** Anybody may enter anybody's address: nobody is written to more often, whoever asks. */
const perMailbox = 3;
const perSession = 5;
const perVisitor = 10;
/** Of visitors who are unknown: a whole company may be behind one address. */
const perNetwork = 50;
const perTenant = 2_000;

/** Asks for mail count against these. Counters outlive what they count, so none names a mailbox, a visitor or a session. */
export function readyMailQuotas(
  { owner: { tenantId }, visitor, address: network }: KeyPrincipal,
  { secrets, sessionId }: { secrets: Pick<Secrets, 'mac'>; sessionId: string },
): Quota[] {
  return [
    daily(`session:${digest(secrets, sessionId)}`, perSession),
    ...(visitor === null ? [] : [daily(`visitor:${digest(secrets, tenantId, visitor)}`, perVisitor)]),
    ...(visitor !== null || network === null ? [] : [daily(`address:${network}`, perNetwork)]),
  ];
}

/** Mails count against these when they are sent: by asking alone nobody keeps a mailbox from its own mail. */
export const sentReadyMailQuotas = (
  { tenantId, address }: { tenantId: string; address: string },
  secrets: Pick<Secrets, 'mac'>,
): Quota[] => [
  daily(`mailbox:${digest(secrets, tenantId, mailboxOf(address))}`, perMailbox),
  daily(`tenant:${tenantId}`, perTenant),
];

const daily = (scope: string, limit: number): Quota => ({
  scope: `readyMails:${scope}`,
  limit,
  windowMs: 86_400_000,
  amount: 1,
});

const digest = (secrets: Pick<Secrets, 'mac'>, ...of: string[]) =>
  secrets.mac('limit', JSON.stringify(['readyMail', ...of])).slice(0, 22);
