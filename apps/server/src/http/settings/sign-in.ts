import type { Request, Response } from 'express';
import {
  beginSession,
  consoleSessionMs,
  endOtherSessions,
  findSession,
} from '../../auth/console-sessions.ts';
import type { ConsoleCookie } from '../../auth/console-cookie.ts';
import { hashPassword, verifyPassword } from '../../auth/password.ts';
import type { MemberPrincipal } from '../../auth/principal.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { signInQuotas } from '../../limit/sign-in-quotas.ts';
import { acceptInvitation } from '../../settings/accept-invitation.ts';
import { changeRecord } from '../../settings/audit.ts';
import { memberView } from '../../settings/member.ts';
import { notFound } from '../../settings/settings-error.ts';
import { signInName } from '../../settings/sign-in-name.ts';
import type { LimitStore } from '../../store/limit-store.ts';
import type { MemberRecord, SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { notValid } from '../parse.ts';
import { ProblemError } from '../problem.ts';
import { quotaExceeded } from '../rejection-problem.ts';

/** How long a browser is known in which somebody has signed in; a new password ends it. */
const knownMs = 180 * 86_400_000;
const knownBrowser = 'known-browser';
const passwordOf = ({ id, passwordHash }: MemberRecord): string => `${id} ${passwordHash}`;

interface SignInDeps {
  readonly stored: SettingsStore;
  readonly limits: LimitStore;
  readonly secrets: Pick<Secrets, 'mac' | 'verify'>;
  readonly cookie: ConsoleCookie;
}

/** How a member comes in: by an invitation, by name and password, and out again. */
export function signInHandlers({
  stored,
  limits,
  secrets,
  cookie,
}: SignInDeps): Handlers<'acceptInvitation' | 'signIn' | 'readSession' | 'signOut' | 'changePassword'> {
  const { members, consoleSessions } = stored;

  /** Throws 429. */
  async function count(request: Request, account: string | null, isKnown = false): Promise<void> {
    const address = request.ip ?? '';
    const limited = await limits.countQuotas(signInQuotas(secrets, { account, address, isKnown }));
    if (limited !== null) throw quotaExceeded(limited, { kind: 'publishable' });
  }

  /** A new session in place of the one that the browser had. */
  async function begin(request: Request, response: Response, member: MemberRecord): Promise<void> {
    const earlier = cookie.read(request);
    const session = earlier === null ? null : await findSession(stored, earlier);
    if (session !== null) await consoleSessions.remove(session.sessionId);
    cookie.set(response, await beginSession(stored, member), consoleSessionMs);
    cookie.known.set(response, secrets.mac(knownBrowser, passwordOf(member)), knownMs);
  }

  function isKnown(request: Request, member: MemberRecord | undefined): boolean {
    const known = cookie.known.read(request);
    return member !== undefined && known !== null && secrets.verify(knownBrowser, passwordOf(member), known);
  }

  async function memberOf({ id }: MemberPrincipal): Promise<MemberRecord> {
    const member = await members.get(id);
    if (member === null) throw notFound();
    return member;
  }

  return {
    async acceptInvitation({ request, response, body }) {
      await count(request, null);
      const member = await acceptInvitation(stored, body);
      await begin(request, response, member);
      response.status(201).json(memberView(member));
    },

    async signIn({ request, response, body: { name, password } }) {
      const account = signInName(name);
      const where = { signInName: account };
      const [member] = (await members.list({ where, after: null, limit: 1 })).items;
      await count(request, account, isKnown(request, member));
      // The same answer after the same time for a name that nobody has.
      const isRight = await verifyPassword(password, member?.passwordHash ?? null);
      if (!isRight || member === undefined)
        throw new ProblemError('UNAUTHORIZED', 'The name or the password is not right.');
      await begin(request, response, member);
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
      await count(request, member.signInName, true);
      if (!(await verifyPassword(body.password, member.passwordHash)))
        throw notValid([{ path: ['password'], message: 'This is not your password.' }]);
      const passwordHash = await hashPassword(body.newPassword);
      const subject = { id: member.id, name: member.name };
      const change = { tenantId: member.tenantId, action: 'updated', kind: 'password', subject } as const;
      const entry = changeRecord(principal, { ...change, before: {}, after: {} });
      await members.update(member.id, { passwordHash }, entry);
      await endOtherSessions(stored, principal);
      response.status(204).end();
    },
  };
}
