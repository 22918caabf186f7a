import type { AgentView } from '@parley/protocol/settings/agent';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';

interface PausedProps {
  readonly agent: AgentView;
  readonly onSaved: (agent: AgentView) => void;
}

/** What visitors read while the agent is paused. */
export function Paused({ agent, onSaved }: PausedProps) {
  const form = useForm({
    name: `pause ${agent.id}`,
    initial: { pauseMessage: agent.pauseMessage ?? '' },
  });
  const save = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      () => ({}),
      async ({ pauseMessage }) => {
        const text = pauseMessage.trim();
        onSaved(
          await call<AgentView>('PATCH', `/agents/${agent.id}`, { pauseMessage: text === '' ? null : text }),
        );
        form.reset();
        announce('Visitors read it from now on.');
      },
    );
  };
  const isChanged = Object.keys(form.entries).length > 0;
  return (
    <form class="inline" ref={form.form} noValidate onSubmit={(event) => void save(event)}>
      {form.problem && <Problem>{form.problem}</Problem>}
      <Field
        label="What visitors read meanwhile"
        hint="Empty: that the assistant is not available at the moment, in their language."
        error={form.errors['pauseMessage']}
      >
        <input type="text" maxLength={500} readOnly={!isAtLeast('admin')} {...form.control('pauseMessage')} />
      </Field>
      {isAtLeast('admin') && (
        <button type="submit" class="button" disabled={form.busy || !isChanged}>
          Save sentence
        </button>
      )}
    </form>
  );
}
