import type { AgentView } from '@parley/protocol/settings/agent';
import { useState } from 'preact/hooks';
import { go, linkTo } from '../router.ts';
import { Field } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { useForm } from '../ui/use-form.ts';
import { ImportApi } from './import-api.tsx';
import { ImportCurl } from './import-curl.tsx';
import { forgetEntries } from '../ui/kept-entries.ts';
import type { Proposal } from './proposal.ts';
import { propose } from './proposals.ts';

const ways = [
  { name: 'A curl line', Way: ImportCurl },
  { name: 'An OpenAPI document', Way: ImportApi },
];

interface ImportToolsProps {
  readonly tenantId: string;
  readonly agents: readonly AgentView[];
}

/** Makes tools of what somebody has already. */
export function ImportTools({ tenantId, agents }: ImportToolsProps) {
  const [chosen, setChosen] = useState(ways[0]);
  const { values, control } = useForm({
    name: `import tools of ${tenantId}`,
    initial: { agentId: agents[0]?.id ?? '' },
  });
  const { agentId } = values;
  const made = (proposals: readonly Proposal[]) => {
    propose(
      tenantId,
      proposals.map(({ entries, remarks }) => ({ remarks, entries: { ...entries, agentId } })),
    );
    forgetEntries(`new tool of ${tenantId}`);
    go('tools', 'new');
  };
  return (
    <Page
      title="Import tools"
      trail={[{ name: 'Tools', href: linkTo('tools') }]}
      lead="You look over each of them before it is saved."
    >
      <section class="card narrow">
        <Field label="Agent" hint="Who is to use them.">
          <select {...control('agentId')}>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <div class="ways" role="group" aria-label="What the tools are made of">
          {ways.map((way) => (
            <button key={way.name} type="button" aria-pressed={way === chosen} onClick={() => setChosen(way)}>
              {way.name}
            </button>
          ))}
        </div>
        {chosen && <chosen.Way agentId={agentId} onMade={made} />}
      </section>
    </Page>
  );
}
