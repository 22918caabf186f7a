import type { Pipeline } from '@parley/protocol/settings/pipeline';
import type { TenantView } from '@parley/protocol/settings/tenant';
import { call } from '../api/call.ts';
import { changeTenant } from '../api/change-tenant.ts';
import { tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Page } from '../ui/page.tsx';
import { PipelineList } from './pipeline-list.tsx';
import { RetentionForm } from './retention-form.tsx';

/** The stages that contacts go through, and what is noted of them. */
export function PipelineScreen() {
  const of = tenant.value;
  if (!of) return <p class="notice">There are no agents yet.</p>;
  const save = async (change: (now: Pipeline) => Partial<Pipeline>) => {
    const changed = await changeTenant(of.id, ({ pipeline }) => ({
      pipeline: { ...pipeline, ...change(pipeline) },
    }));
    return changed.pipeline;
  };
  const storedDays = async () => (await call<TenantView>('GET', `/tenants/${of.id}`)).pipeline.retentionDays;
  return (
    <Page
      title="Pipeline"
      trail={[{ name: 'Contacts', href: linkTo('contacts') }]}
      lead="Agents that may change contacts move them through these stages and fill in these fields."
    >
      <div class="pipeline-lists" key={of.id}>
        <PipelineList
          title="Stages"
          noun="stage"
          hint="A new contact is in the first. Those of a stage that you remove go back there."
          entries={of.pipeline.stages}
          fewest={1}
          save={async (change) => (await save(({ stages }) => ({ stages: change(stages) }))).stages}
        />
        <PipelineList
          title="Fields"
          noun="field"
          hint="What was noted in a field that you remove stays with the contact, in its export, until it is erased."
          entries={of.pipeline.fields}
          fewest={0}
          save={async (change) => (await save(({ fields }) => ({ fields: change(fields) }))).fields}
        />
        <RetentionForm
          retentionDays={of.pipeline.retentionDays}
          stored={storedDays}
          save={(change) => save(() => change)}
        />
      </div>
    </Page>
  );
}
