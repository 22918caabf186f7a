import type { FormFields } from '../ui/use-form.ts';
import { type FaqEntry, type FaqRow, isSame } from './faq-rows.ts';
import { QuestionFields } from './source-fields.tsx';

interface FaqRowFieldsProps extends Omit<FormFields<Record<'question' | 'answer', string>>, 'values'> {
  readonly row: FaqRow;
  /** As it is stored; undefined: it is a new one. */
  readonly before: FaqEntry | undefined;
  readonly isOpen: boolean;
  readonly onFold: (isOpen: boolean) => void;
  /** Null: it is the last one. */
  readonly onRemove: (() => void) | null;
}

/** One question of many. Its fields are drawn while it is unfolded: hundreds at once are slow to type in. */
export function FaqRowFields({ row, before, isOpen, onFold, onRemove, control, errors }: FaqRowFieldsProps) {
  const name = row.question.trim() || 'New question';
  const mark = before === undefined ? 'New' : isSame(row, before) ? null : 'Changed';
  return (
    <li>
      <details open={isOpen} onToggle={({ currentTarget }) => onFold(currentTarget.open)}>
        <summary>
          <span dir="auto">{name}</span>
          {mark && <span class="badge">{mark}</span>}
        </summary>
        {isOpen && (
          <div class="source-question">
            <QuestionFields control={control} errors={errors} />
            {onRemove && (
              <button
                type="button"
                class="button small danger-quiet"
                aria-label={`Remove question: ${name}`}
                onClick={onRemove}
              >
                Remove question
              </button>
            )}
          </div>
        )}
      </details>
    </li>
  );
}
