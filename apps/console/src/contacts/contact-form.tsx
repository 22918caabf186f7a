import type { ContactView } from '@parley/protocol/settings/contact';
import type { Pipeline } from '@parley/protocol/settings/pipeline';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';

interface ContactFormProps {
  readonly contact: ContactView;
  readonly pipeline: Pipeline;
  readonly saved: (contact: ContactView) => void;
}

/** What is noted of a contact, and its stage. Only what was changed is sent: the agent may note something meanwhile. */
export function ContactForm({ contact, pipeline, saved }: ContactFormProps) {
  const noted = pipeline.fields.map(({ id }) => [`field ${id}`, contact.fields[id]?.value ?? ''] as const);
  const form = useForm<Record<string, string>>({
    name: `contact ${contact.id}`,
    initial: { stage: contact.stage, ...Object.fromEntries(noted) },
    fieldOf: (path) => path.replace(/^fields\./, 'field '),
  });
  const mayWrite = isAtLeast('agent');
  const submit = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      () => ({}),
      async () => {
        const { stage, ...entered } = form.entries;
        // What is kept of a field that is gone since would be refused, whatever else is entered.
        const fields = Object.fromEntries(
          pipeline.fields.flatMap(({ id }) => {
            const value = entered[`field ${id}`];
            return value === undefined ? [] : [[id, value.trim() || null]];
          }),
        );
        saved(
          await call<ContactView>('PATCH', `/contacts/${contact.id}`, { ...(stage && { stage }), fields }),
        );
        form.reset();
        announce('The contact is saved.');
      },
    );
  };
  return (
    <section class="card">
      <h2>What is noted</h2>
      {form.problem && <Problem>{form.problem}</Problem>}
      <form ref={form.form} noValidate onSubmit={(event) => void submit(event)}>
        <Field label="Stage" error={form.errors['stage']}>
          <select {...form.control('stage')} disabled={!mayWrite}>
            {pipeline.stages.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        {pipeline.fields.map(({ id, name }) => (
          <Field
            key={id}
            label={name}
            hint={contact.fields[id]?.by === 'agent' ? 'Noted by the agent.' : undefined}
            error={form.errors[`field ${id}`]}
          >
            <input
              type="text"
              dir="auto"
              maxLength={500}
              autocomplete="off"
              readOnly={!mayWrite}
              {...form.control(`field ${id}`)}
            />
          </Field>
        ))}
        {mayWrite && (
          <div class="actions">
            <button type="submit" class="button primary" disabled={form.busy}>
              Save contact
            </button>
          </div>
        )}
      </form>
    </section>
  );
}
