import type { FieldChange } from '@parley/protocol/settings/revision';
import { fieldName } from './field-name.ts';
import { fieldValue } from './field-value.ts';
import { TextDifference } from './text-difference.tsx';

/** Characters that fit beside what they became. */
const shortLength = 80;

interface ChangeListProps {
  readonly changes: readonly FieldChange[];
  /** What either side is called. */
  readonly before: string;
  readonly after: string;
}

/** Field by field, what differs. */
export const ChangeList = ({ changes, before, after }: ChangeListProps) => (
  <ul class="differences">
    {changes.map((change) => (
      <li key={change.field}>
        <h3>{fieldName(change.field)}</h3>
        <Change change={change} before={before} after={after} />
      </li>
    ))}
  </ul>
);

function Change({
  change,
  before,
  after,
}: Omit<ChangeListProps, 'changes'> & { readonly change: FieldChange }) {
  const [was, is] = [fieldValue(change.before), fieldValue(change.after)];
  const isLong = [was, is].every((text) => text.length > shortLength || text.includes('\n'));
  if (isLong) return <TextDifference before={was} after={is} />;
  return (
    <dl class="sides">
      <Side name={before} text={was} change={change} />
      <Side name={after} text={is} change={change} />
    </dl>
  );
}

function Side({
  name,
  text,
  change,
}: {
  readonly name: string;
  readonly text: string;
  readonly change: FieldChange;
}) {
  const isColour = change.field.endsWith('accent') && /^#[0-9a-f]{6}$/i.test(text);
  return (
    <div>
      <dt class="meta">{name}</dt>
      <dd>
        {isColour && (
          <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
            <rect width="1" height="1" fill={text} />
          </svg>
        )}
        {text}
      </dd>
    </div>
  );
}
