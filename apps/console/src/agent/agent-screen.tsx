import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, sessionEnded } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { go, linkTo } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { usePages } from '../ui/use-pages.ts';
import { AgentForm } from './agent-form.tsx';
import { Knowledge } from './knowledge.tsx';
import { Website } from './website.tsx';

interface AgentScreenProps {
  readonly id: string;
  readonly tab: string | undefined;
}

export function AgentScreen({ id, tab }: AgentScreenProps) {
  const [agent, setAgent] = useState<AgentView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const keys = usePages<KeyView>(`/keys?agentId=${id}`);
  const ended = sessionEnded.value;
  useEffect(() => {
    if (ended) return;
    call<AgentView>('GET', `/agents/${id}`).then(setAgent, (error: unknown) => setProblem(sentenceOf(error)));
  }, [id, ended]);

  const setActive = useCallback(
    async (active: boolean) => {
      try {
        setAgent(await call<AgentView>('PATCH', `/agents/${id}`, { active }));
        announce(active ? 'The agent answers again.' : 'The agent is paused.');
      } catch (error) {
        setProblem(sentenceOf(error));
      }
    },
    [id],
  );
  const remove = async ({ name }: AgentView) => {
    const text = 'Its conversations end, its keys lose their agent, and nothing brings it back.';
    if (!(await confirm({ title: `Delete ${name}?`, text, action: 'Delete agent' }))) return;
    try {
      await call('DELETE', `/agents/${id}`);
      announce(`${name} was deleted.`);
      go('agents');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };

  if (agent === null) return problem ? <Problem>{problem}</Problem> : <Loading />;
  const tabs = [
    { name: 'Agent', href: linkTo('agents', id), isHere: tab === undefined },
    { name: 'Knowledge', href: linkTo('agents', id, 'knowledge'), isHere: tab === 'knowledge' },
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
      {!agent.active && (
        <p class="notice">Paused: visitors read that the chat is not available. Go live when it is ready.</p>
      )}
      <nav class="tabs" aria-label={agent.name}>
        {tabs.map(({ name, href, isHere }) => (
          <a key={href} href={href} aria-current={isHere ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {tab === 'knowledge' && <Knowledge agent={agent} />}
      {tab === 'website' && <Website agent={agent} keys={keys.items} reload={keys.reload} />}
      {tab === undefined && <AgentForm key={agent.id} agent={agent} keys={keys.items} onSaved={setAgent} />}
    </Page>
  );
}
