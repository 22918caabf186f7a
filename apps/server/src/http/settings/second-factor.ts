import { endOtherSessions } from '../../auth/console-sessions.ts';
import type { MemberPrincipal } from '../../auth/principal.ts';
import { recoveryCodesFor } from '../../auth/second-factor.ts';
import { confirmSetup, newSetup } from '../../auth/second-factor-setup.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { changeRecord } from '../../settings/audit.ts';
import { memberView } from '../../settings/member.ts';
import { conflict, notFound } from '../../settings/settings-error.ts';
import {
  parseSecondFactor,
  secondFactorContext,
  storedSecondFactor,
} from '../../settings/stored-second-factor.ts';
import type { MemberRecord, SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { notValid } from '../parse.ts';
import { ProblemError } from '../problem.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

type SecondFactorRoute =
  | 'readSecondFactor'
  | 'startSecondFactor'
  | 'confirmSecondFactor'
  | 'renewRecoveryCodes'
  | 'removeSecondFactor';

interface SecondFactorDeps {
  readonly stored: SettingsStore;
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
  readonly attempts: SignInAttempts;
  /** As an authenticator app lists it. */
  readonly issuer: string;
}

/** A member's own authenticator app. */
export function secondFactorHandlers({
  stored,
  secrets,
  attempts,
  issuer,
}: SecondFactorDeps): Handlers<SecondFactorRoute> {
  const { members, consoleSessions } = stored;

  async function memberOf({ id }: MemberPrincipal): Promise<MemberRecord> {
    const member = await members.get(id);
    if (member === null) throw notFound();
    return member;
  }

  /** Throws 409 where another request has changed it meanwhile. */
  async function replace(
    principal: MemberPrincipal,
    before: MemberRecord,
    secondFactor: string | null,
    kind: 'member' | 'recovery codes',
  ): Promise<void> {
    const { id, name, tenantId } = before;
    const sides =
      kind === 'member'
        ? { before: memberView(before), after: memberView({ ...before, secondFactor }) }
        : { before: {}, after: {} };
    const change = { tenantId, action: 'updated', kind, subject: { id, name }, ...sides } as const;
    const entry = changeRecord(principal, change);
    const read = { secondFactor: before.secondFactor };
    if ((await members.update(id, { secondFactor }, entry, read)) === null) throw changedMeanwhile();
  }

  return {
    async readSecondFactor({ response, principal }) {
      const factor = parseSecondFactor(await memberOf(principal));
      response.json({ since: factor?.since ?? null, recoveryCodes: factor?.recoveryCodes.length ?? 0 });
    },

    async startSecondFactor({ request, response, principal, body: { password } }) {
      const member = await memberOf(principal);
      await attempts.requirePassword(request, member, password);
      if (member.secondFactor !== null) throw isOn();
      response.json(newSetup(secrets, member, issuer));
    },

    async confirmSecondFactor({ response, principal, body }) {
      const member = await memberOf(principal);
      await attempts.countCode(member.id, true);
      if (member.secondFactor !== null) throw isOn();
      const confirmed = confirmSetup(secrets, member.id, body);
      if (confirmed === 'expired') throw conflict('This took too long. Begin again with a new QR code.');
      if (confirmed === 'wrong')
        throw notValid([
          { path: ['code'], message: 'This is not the code that the app shows now. Try the next one.' },
        ]);
      const { codes, digests } = recoveryCodesFor(member.id);
      const factor = storedSecondFactor({
        since: new Date().toISOString(),
        secret: secrets.encrypt(confirmed.secret, secondFactorContext(member.id)),
        usedStep: confirmed.usedStep,
        recoveryCodes: digests,
      });
      await replace(principal, member, factor, 'member');
      // Whoever has ended the session meanwhile may have reset the second factor before this one was there.
      if ((await consoleSessions.get(principal.sessionId)) === null) {
        await replace(principal, { ...member, secondFactor: factor }, null, 'member');
        throw new ProblemError(
          'UNAUTHORIZED',
          'Your session has ended meanwhile. Sign in, and set the app up again.',
        );
      }
      await endOtherSessions(stored, principal);
      response.json({ recoveryCodes: codes });
    },

    async renewRecoveryCodes({ request, response, principal, body: { password } }) {
      const member = await memberOf(principal);
      await attempts.requirePassword(request, member, password);
      const factor = parseSecondFactor(member);
      if (factor === null)
        throw conflict('There is no second factor that recovery codes could stand in for.');
      const { codes, digests } = recoveryCodesFor(member.id);
      const renewed = storedSecondFactor({ ...factor, recoveryCodes: digests });
      await replace(principal, member, renewed, 'recovery codes');
      response.json({ recoveryCodes: codes });
    },

    async removeSecondFactor({ request, response, principal, body: { password } }) {
      const member = await memberOf(principal);
      await attempts.requirePassword(request, member, password);
      if (member.secondFactor !== null) {
        await replace(principal, member, null, 'member');
        await endOtherSessions(stored, principal);
      }
      response.status(204).end();
    },
  };
}

const isOn = () => conflict('A second factor is on already. Turn it off first.');
const changedMeanwhile = () => conflict('This was changed at the same moment. Try again.');
