import type { RemoteSettings } from '@parley/protocol/settings/connection';
import type { SignIns } from './sign-ins.ts';

/** What the server of a connection is shown where nobody in particular calls it: what the agent was given, or the token of the settings. Of Composio, whose account is used. */
export function agentBearer(signIns: Pick<SignIns, 'token'>) {
  return (connection: RemoteSettings) =>
    (rejected: string | null): Promise<string | null> => {
      const { id, url, signIn } = connection;
      if (signIn !== 'none')
        return signIns.token({ connectionId: id, visitor: null, sessionId: null }, url, rejected);
      return Promise.resolve(connection.kind === 'mcp' ? (connection.token ?? null) : null);
    };
}
