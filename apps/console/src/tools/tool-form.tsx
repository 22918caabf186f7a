import type { AgentView } from '@parley/protocol/settings/agent';
import type { ComponentChildren } from 'preact';
import { isAtLeast } from '../api/member.ts';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { DisplayFields } from './display-fields.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { RequestFields } from './request-fields.tsx';
import { RuleFields } from './rule-fields.tsx';
import type { StoredTool } from './tool-entries.ts';
import type { ToolFormState } from './tool-fields.ts';
import { ToolTrial } from './tool-trial.tsx';

interface ToolFormProps {
  readonly form: ToolFormState;
  /** As it is stored; null for a new one. */
  readonly before: StoredTool | null;
  readonly id?: string;
  readonly agents: readonly AgentView[];
  readonly onSubmit: (event: Event) => Promise<void>;
  /** What can be done with it, at its end. */
  readonly children: ComponentChildren;
}

export function ToolForm({ form, before, id, agents, onSubmit, children }: ToolFormProps) {
  const { control, errors } = form;
  return (
    <form class="tool-form" ref={form.form} noValidate onSubmit={(event) => void onSubmit(event)}>
      {form.problem && <Problem>{form.problem}</Problem>}
      <fieldset class="card">
        <legend>What it does</legend>
        <div class="columns">
          <Field label="Name" hint="As the agent calls it." error={errors['name']}>
            <input type="text" maxLength={64} autoComplete="off" spellcheck={false} {...control('name')} />
          </Field>
          <Field
            label="Agent"
            hint={before === null ? undefined : 'A tool stays with its agent.'}
            error={errors['agentId']}
          >
            <select {...control('agentId')} disabled={before !== null}>
              {agents.map((agent) => (
                <option key={agent.id} value={agent.id}>
                  {agent.name}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <Field
          label="When the agent should use it"
          hint="The agent reads this to choose. Visitors do not see it."
          error={errors['description']}
        >
          <textarea rows={3} maxLength={4_000} {...control('description')} />
        </Field>
      </fieldset>
      <RequestFields form={form} before={before} />
      <ParameterFields form={form} />
      <RuleFields form={form} />
      <DisplayFields form={form} />
      {isAtLeast('admin') && <ToolTrial form={form} before={before} id={id} />}
      <div class="actions sticky">{children}</div>
    </form>
  );
}
