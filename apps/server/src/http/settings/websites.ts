import type { Response } from 'express';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import { pageQuotas } from '../../limit/page-quotas.ts';
import type { Resource } from '../../settings/resource.ts';
import type { LimitStore } from '../../store/limit-store.ts';
import type { SourceRecord } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { quotaExceeded } from '../rejection-problem.ts';

interface WebsiteHandlersDeps {
  readonly sources: Pick<Resource<SourceRecord, never, never, object>, 'find'>;
  readonly knowledge: Knowledge;
  readonly limits: Pick<LimitStore, 'countQuotas'>;
}

/** What a website says of itself, and what was read of it. */
export function websiteHandlers({
  sources,
  knowledge,
  limits,
}: WebsiteHandlersDeps): Handlers<'proposeAgent' | 'listSourcePages' | 'proposePrompts'> {
  return {
    async proposeAgent({ response, principal, body: { url } }) {
      await countPage(limits, principal);
      response.json(
        await knowledge.proposeAgent(url, { caller: callerOf(principal), signal: goneOf(response) }),
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
