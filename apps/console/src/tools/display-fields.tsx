import { Field } from '../ui/field.tsx';
import { Rows } from './rows.tsx';
import { type DisplayRow, displayRows } from './tool-entries.ts';
import type { ToolFields } from './tool-fields.ts';

/** What visitors read while it runs, and when they are asked for an approval. */
export const DisplayFields = ({ form }: ToolFields) => (
  <fieldset class="card">
    <legend>What visitors read</legend>
    <Rows<DisplayRow>
      title="Title and summary"
      hint="The summary is what an approval asks: Refund order {{order}} in full."
      thing="language"
      rows={displayRows(form.values)}
      empty={{ language: 'en', title: '', summary: '' }}
      error={form.errors['display']}
      onChange={(rows) => form.set('display', JSON.stringify(rows))}
    >
      {(row, change) => (
        <>
          <Field label="Language">
            <input
              type="text"
              autoComplete="off"
              spellcheck={false}
              maxLength={35}
              value={row.language}
              onInput={({ currentTarget }) => change({ language: currentTarget.value })}
            />
          </Field>
          <Field label="Title">
            <input
              type="text"
              autoComplete="off"
              maxLength={80}
              value={row.title}
              onInput={({ currentTarget }) => change({ title: currentTarget.value })}
            />
          </Field>
          <Field label="Summary">
            <input
              type="text"
              autoComplete="off"
              maxLength={300}
              value={row.summary}
              onInput={({ currentTarget }) => change({ summary: currentTarget.value })}
            />
          </Field>
        </>
      )}
    </Rows>
  </fieldset>
);
