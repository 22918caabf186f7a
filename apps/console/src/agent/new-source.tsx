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
          <Field
            label="Address"
            hint="Its home page. Up to 30 pages are read, and again every day."
            error={errors['url']}
          >
            <input
              type="url"
              autoComplete="off"
              maxLength={2_048}
              placeholder="https://www.example.com"
              {...control('url')}
            />
          </Field>
        )}
        {values.kind === 'faq' && (
          <>
            <Field label="Question" error={errors['question']}>
              <input type="text" autoComplete="off" maxLength={1_000} {...control('question')} />
            </Field>
            <Field label="Answer" error={errors['answer']}>
              <textarea rows={4} maxLength={20_000} {...control('answer')} />
            </Field>
          </>
        )}
        {values.kind === 'text' && (
          <>
            <Field label="Title" hint="Visitors see it under an answer." error={errors['title']}>
              <input type="text" autoComplete="off" maxLength={80} {...control('title')} />
            </Field>
            <Field label="Text" hint="Plain, or Markdown with headings." error={errors['text']}>
              <textarea rows={8} maxLength={200_000} {...control('text')} />
            </Field>
          </>
        )}
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            Add source
          </button>
        </div>
      </form>
    </section>
  );
}
