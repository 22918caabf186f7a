import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import type { ComparedRevision } from '@parley/protocol/settings/revision';
import type { SourceView } from '@parley/protocol/settings/source';
import type { PromptProposal } from '@parley/protocol/settings/website';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, revalidation } from '../api/call.ts';
import { linkTo } from '../router.ts';
import { Failed } from '../ui/failed.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useAll } from '../ui/use-all.ts';
import { usePages } from '../ui/use-pages.ts';
import { ProposalForm } from './proposal-form.tsx';
import { WhatWasRead } from './what-was-read.tsx';

/** How often a website that is being read is looked at again. */
const lookAgainMs = 1_000;

/** An agent that nobody sees yet: what it read, what is proposed for it, and the widget that answers. */
export function ProposedAgent({ id }: { readonly id: string }) {
  const [agent, setAgent] = useState<AgentView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const keys = useAll<KeyView>(`/keys?agentId=${id}`);
  const { items: sources, reload } = usePages<SourceView>(`/sources?agentId=${id}`);
  const source = sources?.find(({ kind }) => kind === 'website');
  const status = source?.reading.status;
  const isReading = status === 'waiting' || status === 'reading';
  const round = revalidation.value;
  const load = useCallback(async () => {
    setAgent(await call<AgentView>('GET', `/agents/${id}`));
    setProblem(null);
  }, [id]);
  useEffect(() => {
    if (round !== null) load().catch((error: unknown) => setProblem(sentenceOf(error)));
  }, [load, round]);
  useEffect(() => {
    if (!isReading) return;
    const timer = setInterval(() => void reload(), lookAgainMs);
    return () => clearInterval(timer);
  }, [isReading, reload]);
  // Once all is read, what visitors may ask is known better than from the home page alone.
  const sourceId = source?.id;
  const [wasReading, setWasReading] = useState(false);
  useEffect(() => {
    if (isReading) setWasReading(true);
    if (isReading || !wasReading || sourceId === undefined) return;
    setWasReading(false);
    const take = async () => {
      const { prompts } = await call<PromptProposal>('GET', `/sources/${sourceId}/prompts`);
      if (prompts.length === 0) return;
      // Somebody may have written their own meanwhile.
      const { changes } = await call<ComparedRevision>('GET', `/agents/${id}/revisions/1`);
      if (changes.some(({ field }) => field === 'widget.prompts')) return;
      setAgent(await call<AgentView>('PATCH', `/agents/${id}`, { widget: { prompts } }));
    };
    take().catch((error: unknown) => setProblem(sentenceOf(error)));
  }, [isReading, wasReading, sourceId, id]);

  if (agent === null || keys.items === null || sources === null)
    return problem ? (
      <Failed trail={[{ name: 'Agents', href: linkTo('agents') }]}>{problem}</Failed>
    ) : (
      <Loading />
    );
  return (
    <Page
      title="Your agent"
      trail={[{ name: 'Agents', href: linkTo('agents') }]}
      lead="This is proposed from your website. Change what you like, ask it something, then publish."
    >
      {problem && <Problem>{problem}</Problem>}
      <ProposalForm
        agent={agent}
        publishable={keys.items.find(({ kind }) => kind === 'publishable') ?? null}
        address={source?.kind === 'website' ? source.url : null}
        onSaved={setAgent}
      >
        {source && <WhatWasRead source={source} />}
      </ProposalForm>
    </Page>
  );
}
