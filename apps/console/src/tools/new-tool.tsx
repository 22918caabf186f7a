import type { AgentView } from '@parley/protocol/settings/agent';
import type { ToolView } from '@parley/protocol/settings/tool';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { go, linkTo } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { Page } from '../ui/page.tsx';
import { useForm } from '../ui/use-form.ts';
import { dropProposal, dropProposals, firstProposal } from './proposals.ts';
import { createOf, emptyTool, toolField, toolProblems } from './tool-entries.ts';
import { ToolForm } from './tool-form.tsx';

const trail = [{ name: 'Tools', href: linkTo('tools') }];

interface NewToolProps {
  readonly tenantId: string;
  readonly agents: readonly AgentView[];
}

/** A tool from the beginning, or the next of those that were imported. */
export function NewTool({ tenantId, agents }: NewToolProps) {
  const [count, setCount] = useState(0);
  const next = () => {
    dropProposal(tenantId);
    if (firstProposal(tenantId) === null) go('tools');
    else setCount(count + 1);
  };
  return <Proposed key={count} tenantId={tenantId} agents={agents} onNext={next} />;
}

interface ProposedProps extends NewToolProps {
  readonly onNext: () => void;
}

function Proposed({ tenantId, agents, onNext }: ProposedProps) {
  const [first] = useState(() => firstProposal(tenantId));
  const form = useForm({
    name: `new tool of ${tenantId}`,
    initial: { ...emptyTool, agentId: agents[0]?.id ?? '', ...first?.proposal.entries },
    secret: ['secrets'],
    fieldOf: toolField,
  });
  const done = () => {
    form.reset();
    onNext();
  };
  const cancel = () => {
    dropProposals(tenantId);
    done();
  };
  const save = async (event: Event) => {
    event.preventDefault();
    const check = (values: typeof form.values) => toolProblems(values, null);
    await form.submit(check, async (values) => {
      const { name } = await call<ToolView>('POST', '/tools', createOf(values));
      announce(`${name} is ready for the agent.`);
      done();
    });
  };
  const areMore = first !== null && first.index < first.of;
  const which = first !== null && first.of > 1 ? ` ${first.index} of ${first.of}` : '';
  return (
    <Page
      title={first === null ? 'New tool' : `Look over tool${which}`}
      trail={trail}
      lead={
        first !== null && 'Nothing is saved yet. Check what it sends, and say when the agent should use it.'
      }
    >
      {first !== null && first.proposal.remarks.length > 0 && (
        <ul class="notice tool-remarks">
          {first.proposal.remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
      <ToolForm form={form} before={null} agents={agents} onSubmit={save}>
        <button type="button" class="button" onClick={cancel}>
          Cancel
        </button>
        {areMore && (
          <button type="button" class="button" onClick={done}>
            Skip this one
          </button>
        )}
        <button type="submit" class="button primary" disabled={form.busy}>
          {areMore ? 'Save and next' : 'Save tool'}
        </button>
      </ToolForm>
    </Page>
  );
}
