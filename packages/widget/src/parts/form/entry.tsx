import type { FormField } from '@parley/protocol/field';
import { CardIcon } from '../../ui/card-icon.tsx';
import { useWidget } from '../../widget-context.ts';
import { autocomplete } from './autocomplete.ts';
import type { Problem } from './entry-problem.ts';
import { valueText } from './value-text.ts';

type Props = {
  field: FormField;
  /** Tells the fields of several forms apart. */
  scope: string;
  problem: Problem | undefined;
  onEdit: () => void;
};

export const entryId = (scope: string, { name }: FormField) => `${scope}-${name}`;

/** A field with its label, what it is about and what is wrong with it. The browser keeps what is typed. */
export function Entry({ field, scope, problem, onEdit }: Props) {
  const { label, locale } = useWidget();
  const { type, required, description, options = [] } = field;
  const id = entryId(scope, field);
  const describedBy = [description && `${id}-more`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const shared = {
    id,
    // A form gives the name of a field precedence over its own properties, such as `elements`.
    name: id,
    required: required === true,
    'aria-invalid': problem !== undefined,
    'aria-describedby': describedBy || undefined,
  };
  const title = (
    <span>
      <bdi>{field.label}</bdi> {required && <span class="meta">({label('required')})</span>}
    </span>
  );
  const typed = {
    ...shared,
    class: 'field',
    placeholder: field.placeholder,
    autocomplete: autocomplete(field),
    maxLength: field.maxLength ?? (type === 'multiline' ? 5_000 : 500),
    // An empty field reads like the page, a filled one like what is in it.
    onInput: ({ currentTarget }: { currentTarget: HTMLElement & { value: string } }) => {
      currentTarget.dir = currentTarget.value === '' ? '' : 'auto';
      onEdit();
    },
  };
  const control = () => {
    switch (type) {
      case 'checkbox':
        return <input {...shared} type="checkbox" onChange={onEdit} />;
      case 'select':
        return (
          <div class="select">
            <select {...shared} class="field" onChange={onEdit}>
              <option value="">{label('choose')}</option>
              {options.map((option) => (
                <option key={option.id} value={option.id}>
                  {option.label}
                </option>
              ))}
            </select>
            <CardIcon name="chevron" />
          </div>
        );
      case 'multiline':
        return <textarea {...typed} rows={3} />;
      case 'number':
      case 'date':
        return (
          <input
            {...shared}
            class="field"
            type={type}
            step={type === 'number' ? 'any' : undefined}
            inputMode={type === 'number' && Number(field.minimum) >= 0 ? 'decimal' : undefined}
            placeholder={field.placeholder}
            autocomplete={autocomplete(field)}
            min={field.minimum}
            // Without it browsers take years of six digits.
            max={field.maximum ?? (type === 'date' ? '9999-12-31' : undefined)}
            onInput={onEdit}
          />
        );
      default:
        return <input {...typed} type={type as 'text'} />;
    }
  };
  const more = description && (
    <p class="meta" id={`${id}-more`}>
      <bdi>{description}</bdi>
    </p>
  );
  return (
    <div class="entry">
      {type === 'checkbox' ? (
        <label class="option">
          {control()}
          {title}
        </label>
      ) : (
        <label for={id}>{title}</label>
      )}
      {more}
      {type !== 'checkbox' && control()}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {label(problem.label, { limit: valueText(field, problem.limit ?? '', { locale, label }) })}
        </p>
      )}
    </div>
  );
}
