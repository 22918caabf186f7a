import { consolePatterns } from '@parley/protocol/paths';
import { mayUse } from '../../auth/authorize.ts';
import { isOver } from '../../auth/console-sessions.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { checkConnection, saveFound } from '../../settings/connection-reports.ts';
import { changeRecord } from '../../settings/audit.ts';
import { connectionOf } from '../../settings/connection.ts';
import { clientId, clientMetadata, type ServiceAddress } from '../../sign-in/client-metadata.ts';
import { SignInError } from '../../sign-in/sign-in-error.ts';
import type { Completed } from '../../sign-in/sign-in-attempts.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { RemoteDeps } from '../../tool/mcp/open-remote-session.ts';
import type { Handlers } from '../handlers.ts';
import type { SignInCookie } from './sign-in-cookie.ts';
import { sendSignInPage } from './sign-in-page.ts';

interface CompleteSignInDeps {
  readonly stored: Pick<SettingsStore, 'connections' | 'consoleSessions' | 'members' | 'audit'>;
  readonly secrets: Secrets;
  readonly signIns: SignIns;
  readonly cookie: SignInCookie;
  readonly mcp: RemoteDeps;
  readonly address: ServiceAddress;
}

const admin = { kind: 'admin' } as const;

/** Where authorization servers read who this service is, and send browsers back to. */
export function completeSignInHandlers(deps: CompleteSignInDeps): Handlers<'completeSignIn' | 'oauthClient'> {
  const { stored, secrets, signIns, cookie, address } = deps;

  /** Whoever began may have lost the role that it takes, as well as the session. */
  async function maySignIn(consoleSession: string): Promise<boolean> {
    const session = await stored.consoleSessions.get(consoleSession);
    if (session === null || isOver(session, Date.now())) return false;
    const member = await stored.members.get(session.memberId);
    if (member === null) return false;
    const principal = { ...member, kind: 'member' as const, sessionId: session.id };
    return mayUse(principal, { role: 'admin', everyTenant: false });
  }

  /** Whoever began has done it. */
  async function noteSignIn({ holder, consoleSession }: Completed): Promise<void> {
    const session = consoleSession === null ? null : await stored.consoleSessions.get(consoleSession);
    const member = session && (await stored.members.get(session.memberId));
    const record = await stored.connections.get(holder.connectionId);
    if (!record || (consoleSession !== null && !member)) return;
    const { id, name, tenantId } = record;
    const actor = member ? { kind: 'member' as const, id: member.id, name: member.name } : admin;
    await stored.audit.record(
      changeRecord(actor, {
        tenantId,
        action: 'updated',
        kind: 'connection',
        subject: { id, name },
        before: { signedIn: false },
        after: { signedIn: true },
      }),
    );
  }

  /** What the connection of a member brings now, or why it brings nothing. */
  async function lookAgain(connectionId: string, problem: SignInError | null): Promise<void> {
    const record = await stored.connections.get(connectionId);
    const settings = record && connectionOf(record, secrets);
    if (settings?.kind !== 'mcp' && settings?.kind !== 'composio') return;
    const found = problem
      ? { problem: problem.message, code: 'unauthorized' as const }
      : (await checkConnection(settings, deps.mcp)).found;
    await saveFound(stored.connections, settings, found);
  }

  return {
    async completeSignIn({ request, response, query }) {
      const given = Object.entries(query).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      try {
        const browser = cookie.read(request);
        const completed = await signIns.complete(new URLSearchParams(given), browser, maySignIn);
        const { holder, problem } = completed;
        const { connectionId, visitor, sessionId } = holder;
        if (visitor !== null || sessionId !== null)
          return sendSignInPage(request, response, problem ? { problem: problem.message } : 'signed-in');
        if (problem === null) await noteSignIn(completed);
        await lookAgain(connectionId, problem);
        response.redirect(303, `${consolePatterns.page}#/integrations/connections/${connectionId}`);
      } catch (error) {
        if (!(error instanceof SignInError)) throw error;
        sendSignInPage(request, response, { problem: error.message });
      }
    },

    oauthClient({ response }) {
      response.setHeader('cache-control', 'public, max-age=300');
      response.json({
        client_id: clientId(address),
        ...clientMetadata(address),
        token_endpoint_auth_method: 'none',
      });
    },
  };
}
