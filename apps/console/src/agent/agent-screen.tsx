import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, deleteIfThere, revalidation } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { go, linkTo } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Failed } from '../ui/failed.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useAll } from '../ui/use-all.ts';
import { DraftBar } from '../revisions/draft-bar.tsx';
import { useDraft } from '../revisions/use-draft.ts';
import { lazy } from '../ui/lazy.tsx';
import { useAsking } from '../ui/use-asking.ts';
import { Knowledge } from './knowledge.tsx';
import { LiveState } from './live-state.tsx';
import { Website } from './website.tsx';

const AgentForm = lazy(async () => (await import('./agent-form.tsx')).AgentForm);
const Identity = lazy(async () => (await import('../identity/identity.tsx')).Identity);
const SavedQuestions = lazy(
  async () => (await import('../saved-questions/saved-questions.tsx')).SavedQuestions,
);
const History = lazy(async () => (await import('../revisions/history.tsx')).History);

interface AgentScreenProps {
  readonly id: string;
  readonly tab: string | undefined;
}

export function AgentScreen({ id, tab }: AgentScreenProps) {
  const [agent, setAgent] = useState<AgentView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const keys = useAll<KeyView>(`/keys?agentId=${id}`);
  const draft = useDraft(id);
  const round = revalidation.value;
  const ask = useAsking();
  const load = useCallback(async () => {
    const isNews = ask();
    try {
      const answer = await call<AgentView>('GET', `/agents/${id}`);
      if (!isNews()) return;
      setAgent(answer);
      setProblem(null);
    } catch (error) {
      if (isNews()) setProblem(sentenceOf(error));
    }
  }, [id, ask]);
  useEffect(() => {
    if (round !== null) void load();
  }, [load, round]);
  /** What is live, or the draft, is another one now. */
  const changed = async () => {
    await Promise.all([load(), draft.reload()]);
  };

  const setActive = useCallback(
    async (active: boolean) => {
      const isNews = ask();
      try {
        const answer = await call<AgentView>('PATCH', `/agents/${id}`, { active });
        if (isNews()) setAgent(answer);
        setProblem(null);
        announce(active ? 'The agent answers again.' : 'The agent is paused.');
      } catch (error) {
        setProblem(sentenceOf(error));
      }
    },
    [id, ask],
  );
  const remove = async ({ name }: AgentView) => {
    const text = 'Its conversations end, its keys lose their agent, and nothing brings it back.';
    if (!(await confirm({ title: `Delete ${name}?`, text, action: 'Delete agent' }))) return;
    try {
      await deleteIfThere(`/agents/${id}`);
      announce(`${name} was deleted.`);
      go('agents');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };

  if (agent === null)
    return problem ? (
      <Failed trail={[{ name: 'Agents', href: linkTo('agents') }]}>{problem}</Failed>
    ) : (
      <Loading />
    );
  const tabs = [
    { name: 'Agent', href: linkTo('agents', id), isHere: tab === undefined },
    { name: 'Knowledge', href: linkTo('agents', id, 'knowledge'), isHere: tab === 'knowledge' },
    { name: 'Questions', href: linkTo('agents', id, 'questions'), isHere: tab === 'questions' },
    { name: 'History', href: linkTo('agents', id, 'history'), isHere: tab === 'history' },
    { name: 'Visitors', href: linkTo('agents', id, 'visitors'), isHere: tab === 'visitors' },
    { name: 'Add to your website', href: linkTo('agents', id, 'website'), isHere: tab === 'website' },
  ];
  return (
    <Page
      title={agent.name}
      trail={[{ name: 'Agents', href: linkTo('agents') }]}
      action={
        isAtLeast('admin') && (
          <div class="actions">
            <button type="button" class="button" onClick={() => void setActive(!agent.active)}>
              {agent.active ? 'Pause' : 'Go live'}
            </button>
            <button type="button" class="button danger-quiet" onClick={() => void remove(agent)}>
              Delete
            </button>
          </div>
        )
      }
    >
      {problem && <Problem>{problem}</Problem>}
      <LiveState agent={agent} keys={keys.items} onSaved={setAgent} />
      {draft.problem && <Problem>{draft.problem}</Problem>}
      {draft.draft && <DraftBar draft={draft.draft} onChanged={changed} />}
      <Tabs of={agent.name} tabs={tabs} />
      {tab === 'knowledge' && <Knowledge agent={agent} />}
      {tab === 'visitors' && <Identity agent={agent} onSaved={setAgent} />}
      {tab === 'website' && <Website agent={agent} keys={keys.items} reload={keys.reload} />}
      {tab === undefined && draft.draft && (
        <AgentForm
          key={agent.id}
          draft={draft.draft}
          keys={keys.items}
          onSaved={draft.set}
          reload={changed}
        />
      )}
      {tab === 'questions' && draft.draft && (
        <SavedQuestions agent={agent} draft={draft.draft} onSaved={setAgent} />
      )}
      {tab === 'history' && draft.draft && <History draft={draft.draft} onChanged={changed} />}
    </Page>
  );
}
