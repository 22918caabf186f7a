import { findKey } from '../../auth/find-key.ts';
import { settingsCaller } from '../../auth/settings-caller.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import { pageQuotas } from '../../limit/page-quotas.ts';
import { checkPage } from '../../settings/page-check/check-page.ts';
import type { Resource } from '../../settings/resource.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import type { LimitStore } from '../../store/limit-store.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import type { SourceRecord } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { goneSignal } from '../gone-signal.ts';
import { countQuotas } from './count-quotas.ts';

interface WebsiteHandlersDeps {
  readonly sources: Pick<Resource<SourceRecord, never, never, object>, 'find'>;
  readonly agents: Pick<Resource<AgentRecord, never, never, object>, 'find'>;
  readonly knowledge: Knowledge;
  readonly limits: Pick<LimitStore, 'countQuotas'>;
  readonly egress: Pick<Egress, 'request'>;
  readonly cache: SettingsCache;
  readonly ownOrigins: ReadonlySet<string>;
}

/** What a website says of itself, and what was read of it. */
export function websiteHandlers({
  sources,
  agents,
  knowledge,
  limits,
  egress,
  cache,
  ownOrigins,
}: WebsiteHandlersDeps): Handlers<'proposeAgent' | 'checkPage' | 'listSourcePages' | 'proposePrompts'> {
  return {
    async proposeAgent({ response, principal, body: { url } }) {
      await countQuotas(limits, pageQuotas(principal));
      response.json(
        await knowledge.proposeAgent(url, {
          caller: settingsCaller(principal),
          signal: goneSignal(response),
        }),
      );
    },

    async checkPage({ response, principal, id, body: { url } }) {
      const agent = await agents.find(principal, id);
      await countQuotas(limits, pageQuotas(principal));
      response.json(
        await checkPage(url, {
          egress,
          agent,
          ownOrigins,
          embedsIn: (page) => knowledge.embedsIn(settingsCaller(principal), page),
          findKey: (key) => findKey(cache, key),
          caller: settingsCaller(principal),
          signal: goneSignal(response),
        }),
      );
    },

    async listSourcePages({ response, principal, id, query }) {
      const source = await sources.find(principal, id);
      response.json(await knowledge.listPages(source.id, query));
    },

    async proposePrompts({ response, principal, id }) {
      const source = await sources.find(principal, id);
      response.json({ prompts: await knowledge.proposePrompts(source.id) });
    },
  };
}
