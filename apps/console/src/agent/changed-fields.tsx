import type { SourceView } from '@parley/protocol/settings/source';
import { Field } from '../ui/field.tsx';
import type { FormFields } from '../ui/use-form.ts';
import { FaqFields } from './faq-fields.tsx';
import { type FaqRow, rowProblems } from './faq-rows.ts';
import { type MergedChanges, rowsIn, type SourceChanges } from './source-changes.ts';
import { nameOfQuestion } from './source-entries.ts';
import { TextFields, WebsiteField } from './source-fields.tsx';

interface ChangedFieldsProps {
  readonly form: FormFields<SourceChanges> & { readonly change: (changes: Partial<SourceChanges>) => void };
  readonly stored: SourceView;
  /** What somebody else has changed in another way; null: nothing. */
  readonly overtaken: Pick<MergedChanges, 'overtaken' | 'overtakenRows'> | null;
}

/** What can be changed of a source that is there, by its kind. */
export function ChangedFields({ form, stored, overtaken }: ChangedFieldsProps) {
  const { control, errors, values, change } = form;
  const { kind } = stored;
  const rows = rowsIn(values);
  /** A question that gives its source the name takes it along. */
  const changeRows = (next: readonly FaqRow[]) => {
    const isNamedAfter = rows.length === 1 && values.title === nameOfQuestion(rows[0]?.question ?? '');
    const title = isNamedAfter ? nameOfQuestion(next[0]?.question ?? '') : values.title;
    change({ faq: JSON.stringify(next), title });
  };
  return (
    <>
      {kind === 'website' && (
        <WebsiteField control={control} errors={errors} hint="Its home page, or another page to begin at." />
      )}
      {kind === 'text' && <TextFields control={control} errors={errors} />}
      {kind === 'text' && overtaken?.overtaken.text && (
        <pre class="source-stored" role="region" aria-label="The text as it is stored" tabIndex={0}>
          {stored.text}
        </pre>
      )}
      {kind === 'faq' && (
        <FaqFields
          rows={rows}
          stored={stored.entries}
          problems={overtaken?.overtakenRows ?? (errors['faq'] ? rowProblems(rows) : {})}
          error={errors['faq']}
          onChange={changeRows}
        />
      )}
      <div class="columns">
        {kind !== 'text' && (
          <Field label="Name" hint="As your team finds it." error={errors['title']}>
            <input type="text" autoComplete="off" maxLength={200} {...control('title')} />
          </Field>
        )}
        {kind === 'website' && (
          <Field label="Number of pages" hint="No more are read." error={errors['maxPages']}>
            <input type="text" inputMode="numeric" autoComplete="off" {...control('maxPages')} />
          </Field>
        )}
        {kind === 'text' && (
          <Field label="Address" hint="Where visitors can read it. Empty: nowhere." error={errors['url']}>
            <input type="url" autoComplete="off" maxLength={2_000} {...control('url')} />
          </Field>
        )}
        {kind !== 'file' && (
          <Field label="Language" hint="Such as de or pt-BR." error={errors['language']}>
            <input type="text" autoComplete="off" maxLength={35} {...control('language')} />
          </Field>
        )}
      </div>
    </>
  );
}
