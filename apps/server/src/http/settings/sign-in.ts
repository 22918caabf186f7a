import { endOtherSessions, findSession } from '../../auth/console-sessions.ts';
import type { ConsoleCookie } from '../../auth/console-cookie.ts';
import { hashPassword, verifyPassword } from '../../auth/password.ts';
import type { MemberPrincipal } from '../../auth/principal.ts';
import { takeCode } from '../../auth/second-factor.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { acceptInvitation, findInvitation } from '../../settings/accept-invitation.ts';
import { changeRecord } from '../../settings/audit.ts';
import { memberView } from '../../settings/member.ts';
import { conflict, notFound } from '../../settings/settings-error.ts';
import { signInName } from '../../settings/sign-in-name.ts';
import type { MemberRecord, SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';
import type { NewSessions } from './new-sessions.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

interface SignInDeps {
  readonly stored: SettingsStore;
  readonly attempts: SignInAttempts;
  readonly newSessions: NewSessions;
  readonly secrets: Pick<Secrets, 'decrypt'>;
  readonly cookie: ConsoleCookie;
}

/** How a member comes in: by an invitation, by name and password, and out again. */
export function signInHandlers({
  stored,
  attempts,
  newSessions,
  secrets,
  cookie,
}: SignInDeps): Handlers<
  'readInvitation' | 'acceptInvitation' | 'signIn' | 'readSession' | 'signOut' | 'changePassword'
> {
  const { members, consoleSessions } = stored;

  async function memberOf({ id }: MemberPrincipal): Promise<MemberRecord> {
    const member = await members.get(id);
    if (member === null) throw notFound();
    return member;
  }

  async function requireCode(member: MemberRecord, code: string | undefined, known: boolean): Promise<void> {
    if (code === undefined)
      throw new ProblemError(
        'SECOND_FACTOR_REQUIRED',
        'Enter the code of your authenticator app, or a recovery code.',
      );
    await attempts.countCode(member.id, known);
    if (await takeCode(members, secrets, { member, code })) return;
    const message = 'This code is not right, or was used already. Enter the next one that the app shows.';
    throw new ProblemError('UNAUTHORIZED', message, { issues: [{ path: ['code'], message }] });
  }

  return {
    async readInvitation({ response, body }) {
      const { tenantId, role, expiresAt } = await findInvitation(stored, body.token);
      if (tenantId === null) return void response.json({ organisation: null, role, expiresAt });
      const tenant = await stored.tenants.get(tenantId);
      // Removed meanwhile. Null would say that the link leads to every tenant.
      if (tenant === null) throw notFound();
      response.json({ organisation: tenant.name, role, expiresAt });
    },

    async acceptInvitation({ request, response, body }) {
      await attempts.count(request, null);
      const member = await acceptInvitation(stored, body);
      await newSessions.begin(request, response, member);
      response.status(201).json(memberView(member));
    },

    async signIn({ request, response, body: { name, password, code } }) {
      const account = signInName(name);
      const where = { signInName: account };
      const [member] = (await members.list({ where, after: null, limit: 1 })).items;
      const known = newSessions.isKnown(request, member);
      await attempts.count(request, account, known);
      // The same answer after the same time for a name that nobody has.
      const isRight = await verifyPassword(password, member?.passwordHash ?? null);
      if (!isRight || member === undefined)
        throw new ProblemError('UNAUTHORIZED', 'The name or the password is not right.');
      if (member.secondFactor !== null) await requireCode(member, code, known);
      await newSessions.begin(request, response, member);
      response.json(memberView(member));
    },

    async readSession({ request, response }) {
      const token = cookie.read(request);
      const session = token === null ? null : await findSession(stored, token);
      const member = session && (await members.get(session.id));
      if (member === null) response.status(204).end();
      else response.json(memberView(member));
    },

    async signOut({ response, principal }) {
      await consoleSessions.remove(principal.sessionId);
      cookie.clear(response);
      response.status(204).end();
    },

    async changePassword({ request, response, principal, body }) {
      const member = await memberOf(principal);
      await attempts.requirePassword(request, member, body.password);
      const passwordHash = await hashPassword(body.newPassword);
      const subject = { id: member.id, name: member.name };
      const change = { tenantId: member.tenantId, action: 'updated', kind: 'password', subject } as const;
      const entry = changeRecord(principal, { ...change, before: {}, after: {} });
      const read = { passwordHash: member.passwordHash };
      if ((await members.update(member.id, { passwordHash }, entry, read)) === null)
        throw conflict('This was changed at the same moment. Sign in again.');
      await endOtherSessions(stored, principal);
      response.status(204).end();
    },
  };
}
