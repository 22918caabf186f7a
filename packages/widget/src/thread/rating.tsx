import { useRef, useState } from 'preact/hooks';
import { useWidget } from '../widget-context.ts';
import css from './rating.css?inline';
import type { Rating as Choice } from '@parley/conversation';

const longestComment = 1_000;

/** Whether an answer was of help: pressed again, it is taken back. What was wrong with a bad one may be told. */
function Rating({ turnId }: { turnId: string }) {
  const { conversation, label } = useWidget();
  const [choice, setChoice] = useState(() => conversation.ratingOf(turnId));
  const [comment, setComment] = useState<'none' | 'open' | 'sent'>('none');
  const [failed, setFailed] = useState(false);
  const before = useRef(Promise.resolve());
  const field = useRef<HTMLInputElement>(null);

  const rate = async (rating: Choice, words = '') => {
    setChoice(rating);
    setFailed(false);
    if (!words) setComment(rating === 'down' ? 'open' : 'none');
    try {
      // The last press is the one that has to arrive last.
      await (before.current = before.current
        .catch(() => {})
        .then(() => conversation.rate(turnId, rating, words)));
      if (words) setComment('sent');
    } catch {
      setChoice(conversation.ratingOf(turnId));
      // Words that are being written stay.
      if (!words && !field.current?.value) setComment('none');
      setFailed(true);
    }
  };
  const thumb = (rating: 'up' | 'down', name: string) => (
    <button
      type="button"
      class="copy thumb"
      data-rating={rating}
      aria-pressed={choice === rating}
      aria-label={name}
      title={name}
      onClick={() => void rate(choice === rating ? null : rating)}
    >
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M7 11v10H3V11zM7 11l4-8a3 3 0 0 1 3 3v4h5a2 2 0 0 1 2 2.3l-1.4 7a2 2 0 0 1-2 1.7H7" />
      </svg>
    </button>
  );
  return (
    <>
      {thumb('up', label('good'))}
      {thumb('down', label('bad'))}
      <p role="status" class={failed ? 'problem' : 'meta'}>
        {failed ? label('notRated') : comment === 'sent' && label('thanks')}
      </p>
      {comment === 'open' && (
        <form
          class="rating-comment"
          onSubmit={(event) => {
            event.preventDefault();
            const words = field.current!.value.trim();
            if (words) void rate('down', words);
          }}
        >
          <input
            class="field"
            ref={field}
            maxLength={longestComment}
            autocomplete="off"
            dir="auto"
            aria-label={label('whatWrong')}
            placeholder={label('whatWrong')}
          />
          <button class="button small">{label('send')}</button>
        </form>
      )}
    </>
  );
}

export { css, Rating as Component };
