import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

interface Question {
  readonly title: string;
  readonly text: string;
  /** What the button that does it says. */
  readonly action: string;
}

const asked = signal<(Question & { readonly answer: (yes: boolean) => void }) | null>(null);

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
  const dialog = useRef<HTMLDialogElement>(null);
  const question = asked.value;
  useEffect(() => {
    if (question) dialog.current?.showModal();
  }, [question]);
  if (!question) return null;
  const { title, text, action, answer } = question;
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={() => answer(false)}>
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
