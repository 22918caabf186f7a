import type { Request } from 'express';
import { verifyPassword } from '../../auth/password.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { codeQuotas, signInQuotas } from '../../limit/sign-in-quotas.ts';
import type { LimitStore } from '../../store/limit-store.ts';
import type { MemberRecord } from '../../store/settings-store.ts';
import { notValid } from '../parse.ts';
import { countQuotas } from './count-quotas.ts';

/** Counts whoever tries to sign in, or to prove once more who they are. */
export class SignInAttempts {
  readonly #limits: Pick<LimitStore, 'countQuotas'>;
  readonly #secrets: Pick<Secrets, 'mac'>;

  constructor(limits: Pick<LimitStore, 'countQuotas'>, secrets: Pick<Secrets, 'mac'>) {
    this.#limits = limits;
    this.#secrets = secrets;
  }

  /** Throws 429. */
  async count(request: Request, account: string | null, isKnown = false): Promise<void> {
    await countQuotas(
      this.#limits,
      signInQuotas(this.#secrets, { account, address: request.ip ?? '', isKnown }),
    );
  }

  /** Throws 429. Of a member whose password was right already. */
  async countCode(memberId: string, isKnown: boolean): Promise<void> {
    await countQuotas(this.#limits, codeQuotas(this.#secrets, { memberId, isKnown }));
  }

  /** Throws 400 where it is not the password of whoever is signed in, and 429. */
  async requirePassword(
    request: Request,
    { signInName, passwordHash }: MemberRecord,
    password: string,
  ): Promise<void> {
    await this.count(request, signInName, true);
    if (!(await verifyPassword(password, passwordHash)))
      throw notValid([{ path: ['password'], message: 'This is not your password.' }]);
  }
}
