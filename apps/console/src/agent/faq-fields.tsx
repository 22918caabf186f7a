import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { countOf } from '../ui/count-of.ts';
import { Field } from '../ui/field.tsx';
import { type FaqEntry, type FaqRow, newRow, type RowProblems } from './faq-rows.ts';
import { FaqRowFields } from './faq-row-fields.tsx';
import { QuestionFields } from './source-fields.tsx';

/** As many as the settings take. */
const maxEntries = 500;
/** More of them than somebody sees at once are searched. */
const fewEntries = 10;

interface FaqFieldsProps {
  readonly rows: readonly FaqRow[];
  readonly stored: readonly FaqEntry[];
  readonly problems: RowProblems;
  readonly error: string | undefined;
  readonly onChange: (rows: readonly FaqRow[]) => void;
}

/** The questions of a source, each unfolded to be changed; one alone just stands there. */
export function FaqFields({ rows, stored, problems, error, onChange }: FaqFieldsProps) {
  const [open, setOpen] = useState<readonly string[]>([]);
  const [sought, setSought] = useState('');
  const [added, setAdded] = useState<string | null>(null);
  const fields = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (added !== null)
      fields.current?.querySelector<HTMLElement>('.source-rows > li:last-child input')?.focus();
  }, [added]);
  const add = () => {
    const row = newRow(rows);
    setSought('');
    setOpen([...open, ...(rows.length === 1 ? rows : []).map(({ id }) => id), row.id]);
    setAdded(row.id);
    onChange([...rows, row]);
  };
  const fold = (id: string, isOpen: boolean) =>
    setOpen((before) => [...before.filter((each) => each !== id), ...(isOpen ? [id] : [])]);
  const propsOf = (row: FaqRow) => ({
    errors: problems[row.id] ?? {},
    control: (name: 'question' | 'answer') => ({
      name: `${name} ${row.id}`,
      value: row[name],
      onInput: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
        onChange(rows.map((each) => (each.id === row.id ? { ...each, [name]: value } : each))),
    }),
  });
  const removed = stored.length - rows.filter(({ id }) => stored[Number(id)]).length;
  const [only, ...others] = rows;
  return (
    <div class="source-questions" ref={fields}>
      {only && others.length === 0 && stored.length <= 1 ? (
        <QuestionFields {...propsOf(only)} />
      ) : (
        <>
          {rows.length > fewEntries && (
            <Field label="Find a question">
              <input
                type="search"
                autoComplete="off"
                value={sought}
                onInput={({ currentTarget }) => setSought(currentTarget.value)}
                // Enter would save.
                onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
              />
            </Field>
          )}
          <ol class="source-rows" aria-label="Questions">
            {rows
              .filter((row) => isFound(row, sought) || open.includes(row.id) || problems[row.id])
              .map((row) => (
                <FaqRowFields
                  key={row.id}
                  row={row}
                  before={stored[Number(row.id)]}
                  isOpen={open.includes(row.id) || problems[row.id] !== undefined}
                  onFold={(isOpen) => fold(row.id, isOpen)}
                  onRemove={rows.length > 1 ? () => onChange(rows.filter(({ id }) => id !== row.id)) : null}
                  {...propsOf(row)}
                />
              ))}
          </ol>
        </>
      )}
      {error && <p class="error">{error}</p>}
      <p class="hint" role="status">
        {removed > 0 && `${countOf(removed, 'question')} fewer once it is saved.`}
      </p>
      {rows.length < maxEntries && (
        <button type="button" class="button small" onClick={add}>
          Add question
        </button>
      )}
    </div>
  );
}

function isFound({ question, answer }: FaqRow, sought: string): boolean {
  const said = `${question} ${answer}`.toLowerCase();
  return said.includes(sought.trim().toLowerCase());
}
