import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import {
  type SourceEntries,
  sourceEntries,
  sourceField,
  sourceOf,
  sourceProblems,
} from './source-entries.ts';
import { QuestionFields, TextFields, WebsiteField } from './source-fields.tsx';

interface NewSourceProps {
  readonly agentId: string;
  readonly onAdded: () => Promise<void>;
}

export function NewSource({ agentId, onAdded }: NewSourceProps) {
  const { form, values, errors, problem, busy, submit, reset, control } = useForm<SourceEntries>({
    name: `source of ${agentId}`,
    initial: sourceEntries,
    fieldOf: sourceField,
  });
  const add = async (event: Event) => {
    event.preventDefault();
    await submit(sourceProblems, async (entries) => {
      const source = sourceOf(entries);
      await call('POST', '/sources', { agentId, ...source });
      reset();
      await onAdded();
      announce(`${source.name} was added.`);
    });
  };
  return (
    <section class="card">
      <h2>Add a source</h2>
      <form class="stack" ref={form} noValidate onSubmit={(event) => void add(event)}>
        {problem && <Problem>{problem}</Problem>}
        <Field label="Kind" error={errors['kind']}>
          <select {...control('kind')}>
            <option value="website">Website</option>
            <option value="faq">Question and answer</option>
            <option value="text">Text</option>
          </select>
        </Field>
        {values.kind === 'website' && (
          <WebsiteField
            control={control}
            errors={errors}
            hint="Its home page. Up to 30 pages are read, and again every day."
          />
        )}
        {values.kind === 'faq' && <QuestionFields control={control} errors={errors} />}
        {values.kind === 'text' && <TextFields control={control} errors={errors} />}
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            Add source
          </button>
        </div>
      </form>
    </section>
  );
}
