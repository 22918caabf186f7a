import type { Response } from 'express';
import { findKey } from '../../auth/find-key.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import { pageQuotas } from '../../limit/page-quotas.ts';
import { checkPage } from '../../settings/page-check/check-page.ts';
import type { Resource } from '../../settings/resource.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import type { LimitStore } from '../../store/limit-store.ts';
import type { AgentRecord, SourceRecord } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { quotaExceeded } from '../rejection-problem.ts';

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
      await countPage(limits, principal);
      response.json(
        await knowledge.proposeAgent(url, { caller: callerOf(principal), signal: goneOf(response) }),
      );
    },

    async checkPage({ response, principal, id, body: { url } }) {
      const agent = await agents.find(principal, id);
      await countPage(limits, principal);
      response.json(
        await checkPage(url, {
          egress,
          agent,
          ownOrigins,
          embedsIn: (page) => knowledge.embedsIn(page),
          findKey: (key) => findKey(cache, key),
          caller: callerOf(principal),
          signal: goneOf(response),
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

const callerOf = (principal: SettingsPrincipal) => (principal.kind === 'member' ? principal.id : 'admin');

/** Throws 429. */
async function countPage(
  limits: Pick<LimitStore, 'countQuotas'>,
  principal: SettingsPrincipal,
): Promise<void> {
  const limited = await limits.countQuotas(pageQuotas(principal));
  if (limited !== null) throw quotaExceeded(limited, { kind: 'publishable' });
}

function goneOf(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
