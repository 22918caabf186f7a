import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import type { Secrets } from '../../crypto/secrets.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { checkConnection, saveFound, saveState } from '../../settings/connection-reports.ts';
import { connectionOf } from '../../settings/connection.ts';
import { checkMail } from '../../settings/check-mail.ts';
import { readable } from '../../settings/readable.ts';
import type { Resource } from '../../settings/resource.ts';
import type { ConnectionRecord, SettingsStore } from '../../store/settings-store.ts';
import type { RemoteDeps } from '../../tool/mcp/open-remote-session.ts';
import type { Handlers } from '../handlers.ts';
import type { Trials } from './trials.ts';

interface CheckConnectionDeps {
  readonly connections: Pick<Resource<ConnectionRecord, never, never, object>, 'find' | 'read'>;
  readonly stored: SettingsStore['connections'];
  readonly secrets: Secrets;
  readonly mcp: RemoteDeps;
  readonly mailer: Mailer;
  readonly trials: Trials;
}

/** Has a connection asked for its tools, or to be let in. */
export function checkConnectionHandlers({
  connections,
  stored,
  secrets,
  mcp,
  mailer,
  trials,
}: CheckConnectionDeps): Handlers<'checkConnection'> {
  /** Whether it answers; a calendar is kept here. */
  async function check(record: ConnectionRecord, settings: ConnectionSettings): Promise<boolean> {
    switch (settings.kind) {
      case 'mcp':
      case 'composio': {
        const { found } = await checkConnection(settings, mcp);
        await saveFound(stored, settings, found);
        return 'listing' in found;
      }
      case 'mail': {
        const { state } = await checkMail(settings, mailer);
        await saveState(stored, record, state);
        return state.status === 'connected';
      }
      case 'calendar':
        return true;
    }
  }

  return {
    async checkConnection({ response, principal, id }) {
      const record = await connections.find(principal, id);
      const settings = await readable(() => connectionOf(record, secrets));
      await trials.count(principal);
      const outcome = (await check(record, settings)) ? 'completed' : 'failed';
      const { tenantId, name } = record;
      await trials.record(principal, {
        tenantId,
        kind: 'connection',
        subject: { id, name },
        found: { outcome },
      });
      response.json(await connections.read(principal, id));
    },
  };
}
