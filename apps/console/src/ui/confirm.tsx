import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { member } from '../api/member.ts';
import { useModal } from './use-modal.ts';

interface Question {
  readonly title: string;
  readonly text: string;
  /** What the button that does it says. */
  readonly action: string;
}

interface Asked extends Question {
  readonly answer: (yes: boolean) => void;
}

const asked = signal<Asked | null>(null);

/** Asks before something that cannot be undone. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer(yes) {
        asked.value = null;
        resolve(yes);
      },
    };
  });
}

export function ConfirmDialog() {
  const question = asked.value;
  const memberId = member.value?.id;
  // What was asked of one member is answered by nobody else.
  useLayoutEffect(() => () => asked.peek()?.answer(false), [memberId]);
  return question && <AskedDialog {...question} />;
}

function AskedDialog({ title, text, action, answer }: Asked) {
  const dialog = useModal(() => answer(false));
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title">
      <h2 id="confirm-title">{title}</h2>
      <p>{text}</p>
      <div class="actions">
        <button type="button" class="button" onClick={() => answer(false)}>
          Cancel
        </button>
        <button type="button" class="button danger" onClick={() => answer(true)}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
