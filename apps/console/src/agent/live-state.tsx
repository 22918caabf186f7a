import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import { linkTo } from '../router.ts';
import { Paused } from './paused.tsx';
import { whatKeeps } from './what-keeps.ts';

interface LiveStateProps {
  readonly agent: AgentView;
  readonly keys: readonly KeyView[] | null;
  readonly onSaved: (agent: AgentView) => void;
}

/** What keeps visitors from being answered, in words; nothing where nothing does. */
export function LiveState({ agent, keys, onSaved }: LiveStateProps) {
  const kept = whatKeeps(agent, keys);
  if (kept.length === 0) return null;
  return (
    <section class="notice keeps" aria-label="Not live yet">
      <p class="row-name">{agent.active ? 'Not quite live yet.' : 'Paused.'}</p>
      <ul>
        {kept.map(({ text, tab }) => (
          <li key={text}>
            {text} {tab && <a href={linkTo('agents', agent.id, ...tab.path)}>{tab.name}</a>}
          </li>
        ))}
      </ul>
      {!agent.active && <Paused key={agent.pauseMessage} agent={agent} onSaved={onSaved} />}
    </section>
  );
}
