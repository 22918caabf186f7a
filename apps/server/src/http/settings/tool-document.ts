import { authorize } from '../../auth/authorize.ts';
import type { Egress } from '../../egress/egress.ts';
import { fetchPage } from '../../knowledge/website/fetch-page.ts';
import { dangling } from '../../settings/settings-error.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import { goneSignal } from '../gone-signal.ts';
import type { Handlers } from '../handlers.ts';
import type { Trials } from './trials.ts';

interface ToolDocumentDeps {
  readonly agents: Pick<SettingsStore['agents'], 'get'>;
  readonly egress: Pick<Egress, 'request'>;
  readonly trials: Trials;
}

/** Hands over a document as it is: whoever asked makes tools of it, and a large one takes no time here. */
export function toolDocumentHandlers({
  agents,
  egress,
  trials,
}: ToolDocumentDeps): Handlers<'readToolDocument'> {
  return {
    async readToolDocument({ response, principal, body: { agentId, url } }) {
      const tenantId = (await agents.get(agentId))?.tenantId;
      if (tenantId === undefined || !authorize(principal, tenantId)) throw dangling('agentId');
      await trials.count(principal);
      const page = await fetchPage(egress, {
        tenantId,
        url,
        version: null,
        signal: goneSignal(response),
        accept: 'application/json, application/yaml, text/yaml;q=0.9, text/*;q=0.8',
        follows: () => true,
      });
      if (page.outcome === 'page')
        return void response.json({ status: 'read', address: page.address, text: page.text });
      const message = page.outcome === 'problem' ? page.message : 'The address answered 304.';
      response.json({ status: 'failed', message });
    },
  };
}
