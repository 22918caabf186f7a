import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Identified {
  readonly id: string;
}

interface RowsProps<Row extends Identified> {
  readonly title: string;
  readonly hint?: string;
  /** What one of them is, as in "Add header". */
  readonly thing: string;
  readonly rows: readonly Row[];
  readonly empty: Omit<Row, 'id'>;
  readonly error: string | undefined;
  readonly onChange: (rows: readonly Row[]) => void;
  readonly children: (row: Row, change: (fields: Partial<Row>) => void) => ComponentChildren;
}

/** A list of things of one kind, each with its controls in a line. */
export function Rows<Row extends Identified>(props: RowsProps<Row>) {
  const { title, hint, thing, rows, empty, error, onChange, children } = props;
  const heading = useId();
  const add = () => {
    const numbers = rows.map(({ id }) => Number(/^new (\d+)$/.exec(id)?.[1] ?? 0));
    onChange([...rows, { ...empty, id: `new ${Math.max(0, ...numbers) + 1}` } as unknown as Row]);
  };
  return (
    <section class="tool-rows" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {hint && rows.length > 0 && <p class="hint">{hint}</p>}
      {rows.length > 0 && (
        <div class="tool-row-list">
          {rows.map((row, index) => (
            <div key={row.id} class="tool-row" role="group" aria-label={`${thing} ${index + 1}`}>
              {children(row, (fields) =>
                onChange(rows.map((each) => (each.id === row.id ? { ...each, ...fields } : each))),
              )}
              <button
                type="button"
                class="button small danger-quiet"
                aria-label={`Remove ${thing} ${index + 1}`}
                onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
              >
                Remove
              </button>
            </div>
          ))}
        </div>
      )}
      {error && <p class="error">{error}</p>}
      <button type="button" class="button small" onClick={add}>
        Add {thing}
      </button>
    </section>
  );
}
