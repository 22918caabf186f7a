import type { RemoteSettings } from '@parley/protocol/settings/connection';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { checkConnection, saveFound } from '../../settings/connection-reports.ts';
import { changeRecord } from '../../settings/audit.ts';
import { connectionOf } from '../../settings/connection.ts';
import { readable } from '../../settings/readable.ts';
import type { Resource } from '../../settings/resource.ts';
import { SignInError } from '../../sign-in/sign-in-error.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import { signInId } from '../../sign-in/stored-sign-ins.ts';
import type { ConnectionRecord, SettingsStore } from '../../store/settings-store.ts';
import type { RemoteDeps } from '../../tool/mcp/open-remote-session.ts';
import type { Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';
import type { Trials } from '../settings/trials.ts';
import { ownOrigin } from './own-origin.ts';
import type { SignInCookie } from './sign-in-cookie.ts';

interface BeginSignInDeps {
  readonly connections: Pick<Resource<ConnectionRecord, never, never, object>, 'find' | 'read'>;
  readonly stored: SettingsStore['connections'];
  readonly audit: Pick<SettingsStore['audit'], 'record'>;
  readonly secrets: Secrets;
  readonly signIns: SignIns;
  readonly ownOrigins: ReadonlySet<string>;
  readonly consoleOrigin: string;
  readonly cookie: SignInCookie;
  readonly mcp: RemoteDeps;
  readonly trials: Trials;
}

/** How a member signs in and out at the server of a connection, for its agent. */
export function beginSignInHandlers(deps: BeginSignInDeps): Handlers<'beginSignIn' | 'endSignIn'> {
  const { connections, stored, secrets, signIns, cookie, trials } = deps;

  async function find(
    principal: SettingsPrincipal,
    id: string,
  ): Promise<{ record: ConnectionRecord; settings: RemoteSettings | null }> {
    const record = await connections.find(principal, id);
    const settings = await readable(() => connectionOf(record, secrets));
    const isRemote = settings.kind === 'mcp' || settings.kind === 'composio';
    return { record, settings: isRemote && settings.signIn !== 'none' ? settings : null };
  }

  return {
    async beginSignIn({ request, response, principal, id }) {
      const { record, settings } = await find(principal, id);
      if (settings === null)
        throw new ProblemError('BAD_REQUEST', 'Nobody signs in at the server of this connection.');
      await trials.count(principal);
      const { tenantId, agentId } = record;
      const holder = { tenantId, agentId, connectionId: id, visitor: null, sessionId: null };
      const consoleSession = principal.kind === 'member' ? principal.sessionId : null;
      const browser = cookie.renew(request, response);
      try {
        const origin = ownOrigin(request, deps);
        const url = await signIns.beginAt(settings, holder, { browser, consoleSession, origin });
        response.json({ url: url.href });
      } catch (error) {
        if (!(error instanceof SignInError)) throw error;
        throw new ProblemError('BAD_REQUEST', error.message);
      }
    },

    async endSignIn({ response, principal, id }) {
      const { record, settings } = await find(principal, id);
      await signIns.signOut(signInId({ connectionId: id, visitor: null, sessionId: null }));
      const { tenantId, name } = record;
      await deps.audit.record(
        changeRecord(principal, {
          tenantId,
          action: 'updated',
          kind: 'connection',
          subject: { id, name },
          before: { signedIn: true },
          after: { signedIn: false },
        }),
      );
      if (settings) await saveFound(stored, settings, (await checkConnection(settings, deps.mcp)).found);
      response.json(await connections.read(principal, id));
    },
  };
}
