import { diffWordsWithSpace } from 'diff';

/** Words that may differ before both texts are shown one after the other; and how long that may take. */
const bounds = { maxEditLength: 2_000, timeout: 200 };
/** Characters kept on either side of what differs. */
const context = 160;

interface TextPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** What two long texts have in common, and what went and came; of what is far from any difference nothing. */
export function textParts(before: string, after: string): readonly TextPart[] {
  const parts = diffWordsWithSpace(before, after, bounds);
  if (parts === undefined)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  return parts.map(({ value, added, removed }, index) => {
    if (added) return { kind: 'added', text: value };
    if (removed) return { kind: 'removed', text: value };
    return { kind: 'same', text: shortened(value, index === 0, index === parts.length - 1) };
  });
}

function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= 2 * context) return text;
  const start = isFirst ? '' : `${text.slice(0, context).toWellFormed()} `;
  const end = isLast ? '' : ` ${text.slice(-context).toWellFormed()}`;
  return `${start}…${end}`;
}
