import type { ComponentChildren, TargetedEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWidget } from '../../widget-context.ts';
import { fillIn, keepEntries } from './kept-entries.ts';

type Props = {
  title: string;
  /** Tells the forms of a conversation apart. */
  scope: string;
  /** What its button says; absent where what is chosen is the answer. */
  action: string | undefined;
  disabled?: boolean;
  failure?: string | undefined;
  describedBy?: string | undefined;
  children?: ComponentChildren;
  onSubmit: (event: TargetedEvent<HTMLFormElement, Event>) => void;
};

/** One group of fields under a title, with at most one button. While it is being filled in, nothing moves it; what is in it is kept. */
export function CardForm({
  title,
  scope,
  action,
  disabled,
  failure,
  describedBy,
  children,
  onSubmit,
}: Props) {
  const { conversation } = useWidget();
  const form = useRef<HTMLFormElement>(null);
  const hold = () => form.current!.dispatchEvent(new Event('hold', { bubbles: true }));

  useLayoutEffect(() => fillIn(form.current!, conversation.formEntries(scope) ?? {}), []);

  // One that is higher than the window is read from its beginning.
  useLayoutEffect(() => {
    const log = form.current!.closest('.log')!;
    const top = form.current!.getBoundingClientRect().top - log.getBoundingClientRect().top - 16;
    if (form.current!.offsetHeight < log.clientHeight - 32 || top > log.clientHeight) return;
    hold();
    log.scrollTop += top;
  }, []);

  return (
    <form
      class="card"
      noValidate
      ref={form}
      onFocusIn={hold}
      onInput={({ currentTarget }) => {
        keepEntries(conversation, scope, currentTarget);
        conversation.withdrawReply(scope);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
      }}
    >
      <fieldset disabled={disabled} aria-describedby={describedBy}>
        <legend class="card-title" dir="auto">
          {title}
        </legend>
        {children}
        {failure && (
          <p class="problem" role="alert">
            {failure}
          </p>
        )}
        {action && (
          <button type="submit" class="button primary wide" dir="auto">
            {action}
          </button>
        )}
      </fieldset>
    </form>
  );
}
