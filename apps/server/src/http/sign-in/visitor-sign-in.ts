import type { RemoteSettings } from '@parley/protocol/settings/connection';
import type { Quota, Limited } from '../../store/limit-store.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { connectionOf } from '../../settings/connection.ts';
import { SignInError } from '../../sign-in/sign-in-error.ts';
import { attemptMs } from '../../sign-in/sign-in-attempts.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import { type Holder, signInId } from '../../sign-in/stored-sign-ins.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { ownOrigin } from './own-origin.ts';
import type { SignInCookie } from './sign-in-cookie.ts';
import { sendSignInPage } from './sign-in-page.ts';

/** How often somebody may begin in ten minutes: each time the servers of others are asked. */
const maxBegun = 10;

interface VisitorSignInDeps {
  readonly stored: Pick<SettingsStore, 'connections' | 'tenants'>;
  readonly secrets: Secrets;
  readonly signIns: SignIns;
  readonly ownOrigins: ReadonlySet<string>;
  readonly consoleOrigin: string;
  readonly cookie: SignInCookie;
  readonly limits: { countQuotas(quotas: readonly Quota[]): Promise<Limited | null> };
}

/** Where visitors begin to sign in, in a page of its own: whoever was only sent its address is told what it is for. */
export function visitorSignInHandlers(
  deps: VisitorSignInDeps,
): Handlers<'signInPage' | 'beginVisitorSignIn'> {
  const { stored, secrets, signIns, cookie, limits } = deps;
  async function asked(token: string) {
    const holder: Holder | null = signIns.holderOf(token);
    const record = holder && (await stored.connections.get(holder.connectionId));
    const tenant = record && (await stored.tenants.get(record.tenantId));
    const settings = record && connectionOf(record, secrets);
    const isRemote = settings?.kind === 'mcp' || settings?.kind === 'composio';
    if (!holder || !tenant || !isRemote || settings.signIn !== 'visitor') return null;
    return { holder, firm: tenant.name, settings };
  }

  return {
    async signInPage({ request, response, id }) {
      const found = await asked(id);
      if (!found) return sendSignInPage(request, response, 'over');
      cookie.renew(request, response);
      const { firm, settings } = found;
      sendSignInPage(request, response, { firm, name: settings.name, host: placeOf(settings) });
    },

    async beginVisitorSignIn({ request, response, id }) {
      const found = await asked(id);
      // Only the page above has set it, and no form of another site brings it along.
      const browser = cookie.read(request);
      if (!found || browser === null) return sendSignInPage(request, response, 'over');
      const scope = `begun:sign-in:${signInId(found.holder)}`;
      const limited = await limits.countQuotas([{ scope, limit: maxBegun, windowMs: attemptMs, amount: 1 }]);
      if (limited) return sendSignInPage(request, response, 'too-many');
      try {
        const by = { browser, consoleSession: null, origin: ownOrigin(request, deps) };
        const to = await signIns.beginAt(found.settings, found.holder, by);
        response.redirect(303, to.href);
      } catch (error) {
        if (!(error instanceof SignInError)) throw error;
        sendSignInPage(request, response, { problem: error.message });
      }
    },
  };
}

/** Whose account it is: Composio asks for one of the toolkit. */
const placeOf = (settings: RemoteSettings): string => {
  const { host } = new URL(settings.url);
  return settings.kind === 'composio' ? `${settings.toolkit} (${host})` : host;
};
