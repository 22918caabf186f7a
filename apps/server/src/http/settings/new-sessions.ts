import type { Request, Response } from 'express';
import { beginSession, consoleSessionMs, findSession } from '../../auth/console-sessions.ts';
import type { ConsoleCookie } from '../../auth/console-cookie.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { parseSecondFactor } from '../../settings/stored-second-factor.ts';
import type { MemberRecord, SettingsStore } from '../../store/settings-store.ts';
import { ProblemError } from '../problem.ts';

/** How long a browser is known in which somebody has signed in; a new password ends it. */
const knownMs = 180 * 86_400_000;
const knownBrowser = 'known-browser';
const passwordOf = ({ id, passwordHash }: MemberRecord): string => `${id} ${passwordHash}`;

const factorOf = (member: MemberRecord): string | null => parseSecondFactor(member)?.since ?? null;

const isOutdated = (read: MemberRecord, now: MemberRecord | null): boolean =>
  now?.passwordHash !== read.passwordHash || factorOf(now) !== factorOf(read);

interface NewSessionsDeps {
  readonly stored: Pick<SettingsStore, 'members' | 'consoleSessions' | 'passkeys'>;
  readonly secrets: Pick<Secrets, 'mac' | 'verify'>;
  readonly cookie: ConsoleCookie;
}

/** Gives a browser its session, however its member has signed in, and knows it again. */
export class NewSessions {
  readonly #deps: NewSessionsDeps;

  constructor(deps: NewSessionsDeps) {
    this.#deps = deps;
  }

  /**
   * A new session in place of the one that the browser had. Throws 401 where the member has another password or second
   * factor meanwhile or is gone, or the passkey is that was used: whoever changed that has ended every session but this one.
   */
  async begin(
    request: Request,
    response: Response,
    member: MemberRecord,
    passkeyId: string | null = null,
  ): Promise<void> {
    const { stored, secrets, cookie } = this.#deps;
    const earlier = cookie.read(request);
    const session = earlier === null ? null : await findSession(stored, earlier);
    if (session !== null) await stored.consoleSessions.remove(session.sessionId);
    const token = await beginSession(stored, member).catch(async (error: unknown) => {
      throw (await stored.members.get(member.id)) === null ? changedMeanwhile() : error;
    });
    const isGone = passkeyId !== null && (await stored.passkeys.get(passkeyId)) === null;
    if (isGone || isOutdated(member, await stored.members.get(member.id))) {
      const begun = await findSession(stored, token);
      if (begun !== null) await stored.consoleSessions.remove(begun.sessionId);
      throw changedMeanwhile();
    }
    cookie.set(response, token, consoleSessionMs);
    cookie.known.set(response, secrets.mac(knownBrowser, passwordOf(member)), knownMs);
  }

  /** Whether the member has signed in in this browser before. */
  isKnown(request: Request, member: MemberRecord | undefined): boolean {
    const { secrets, cookie } = this.#deps;
    const known = cookie.known.read(request);
    return member !== undefined && known !== null && secrets.verify(knownBrowser, passwordOf(member), known);
  }
}

const changedMeanwhile = () =>
  new ProblemError('UNAUTHORIZED', 'This was changed at the same moment. Sign in again.');
