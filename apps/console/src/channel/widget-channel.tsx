import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import { tenant } from '../api/member.ts';
import { DraftBar } from '../revisions/draft-bar.tsx';
import { useDraft } from '../revisions/use-draft.ts';
import { linkTo } from '../router.ts';
import { Field } from '../ui/field.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { ThemeForm } from './theme-form.tsx';

interface WidgetChannelProps {
  readonly agents: readonly AgentView[];
  readonly keys: readonly KeyView[];
}

/** How the widget of an agent looks on pages. */
export function WidgetChannel({ agents, keys }: WidgetChannelProps) {
  const { values, control } = useForm({
    name: `widget of ${tenant.value?.id}`,
    initial: { agentId: agents[0]?.id ?? '' },
  });
  const agent = agents.find(({ id }) => id === values.agentId) ?? agents[0];
  return (
    <section>
      <h2 class="section">Website widget</h2>
      <p class="lead">What visitors see on pages that have a publishable key.</p>
      {agent && (
        <>
          {agents.length > 1 && (
            <div class="channel-agent">
              <Field label="Widget of">
                <select {...control('agentId')}>
                  {agents.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              </Field>
            </div>
          )}
          <Look key={agent.id} agentId={agent.id} keys={keys.filter(({ agentId }) => agentId === agent.id)} />
        </>
      )}
    </section>
  );
}

function Look({ agentId, keys }: { readonly agentId: string; readonly keys: readonly KeyView[] }) {
  const { draft, problem, set, reload } = useDraft(agentId);
  if (draft === null) return problem ? <Problem>{problem}</Problem> : <Loading />;
  return (
    <div class="look">
      {problem && <Problem>{problem}</Problem>}
      <DraftBar draft={draft} onChanged={reload} />
      <ThemeForm draft={draft} keys={keys} onSaved={set} reload={reload} />
      <p class="hint">
        What it says first, and what it asks before, is set under{' '}
        <a href={linkTo('agents', agentId)}>{draft.agent.name}</a>.
      </p>
    </div>
  );
}
