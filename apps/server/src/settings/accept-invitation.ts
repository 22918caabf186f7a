import { tokenDigest } from '../auth/console-sessions.ts';
import { hashPassword } from '../auth/password.ts';
import type { AuditRecord } from '../store/audit-store.ts';
import type { InvitationRecord, MemberRecord, SettingsStore } from '../store/settings-store.ts';
import { changeRecord } from './audit.ts';
import { memberView } from './member.ts';
import { invalid, SettingsError } from './settings-error.ts';
import { signInName } from './sign-in-name.ts';

interface InvitationAnswer {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

type Stored = Pick<SettingsStore, 'members' | 'invitations'>;

/**
 * Makes whoever has the token a member, once. Throws `not-found` for a token that is unknown, used, over, or the setup
 * link's when there is a member, and `invalid` for a name that is taken.
 */
export async function acceptInvitation(
  stored: Stored,
  { token, name, password }: InvitationAnswer,
): Promise<MemberRecord> {
  const { members } = stored;
  const invitation = await findInvitation(stored, token);
  if (await isTaken(stored, name)) throw taken();
  const { tenantId, role } = invitation;
  const record: MemberRecord = {
    // One invitation makes one member, however often it is used at once, and all setup links together one.
    id: invitation.isSetup ? 'member_first' : invitation.id.replace('invitation', 'member'),
    tenantId,
    name,
    signInName: signInName(name),
    role,
    passwordHash: await hashPassword(password),
    secondFactor: null,
    createdAt: new Date().toISOString(),
  };
  let isValid: boolean;
  try {
    isValid = await members.insertInvited(record, invitation.id, joining(record));
  } catch (error) {
    if ((await members.get(record.id)) !== null) throw notValid();
    if (await isTaken(stored, name)) throw taken();
    throw error;
  }
  if (!isValid) throw notValid();
  if (invitation.isSetup) await removeSetupLinks(stored);
  return record;
}

function joining(record: MemberRecord): AuditRecord {
  const { id, name, tenantId } = record;
  const change = { tenantId, action: 'created', kind: 'member', subject: { id, name } } as const;
  return changeRecord({ kind: 'member', id, name }, { ...change, before: null, after: memberView(record) });
}

/** Throws as `acceptInvitation` for a token that makes nobody a member. */
export async function findInvitation(
  { members, invitations }: Stored,
  token: string,
): Promise<InvitationRecord> {
  const where = { digest: tokenDigest(token) };
  const [invitation] = (await invitations.list({ where, after: null, limit: 1 })).items;
  if (invitation === undefined || Date.parse(invitation.expiresAt) <= Date.now()) throw notValid();
  if (invitation.isSetup && (await members.list({ where: {}, after: null, limit: 1 })).items.length > 0)
    throw notValid();
  return invitation;
}

/** Those of other starts, which are not good any more. */
async function removeSetupLinks({ invitations }: Stored): Promise<void> {
  const others = await invitations.list({ where: { isSetup: true }, after: null, limit: 100 });
  for (const { id } of others.items) await invitations.remove(id);
}

async function isTaken({ members }: Stored, name: string): Promise<boolean> {
  const named = await members.list({ where: { signInName: signInName(name) }, after: null, limit: 1 });
  return named.items.length > 0;
}

const notValid = () =>
  new SettingsError('not-found', 'This link is not valid any more. Ask for another one.');
const taken = () => invalid(['name'], 'Somebody signs in with this name already.');
