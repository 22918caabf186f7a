import { useLayoutEffect } from 'preact/hooks';
import { useWidget } from '../widget-context.ts';
import type { Values } from './entry-value.ts';
import { FieldsForm } from './fields-form.tsx';
import { dropEntries } from './kept-entries.ts';

const scope = 'gate';

/** What a visitor agrees to and is asked before the first message. Not sending is the way to decline. */
export function Gate() {
  const { chat, label } = useWidget();
  const { consent, form } = chat.gate;

  // Another tab may come through, from now on.
  useLayoutEffect(() => {
    const look = () => chat.set({});
    addEventListener('storage', look);
    return () => removeEventListener('storage', look);
  }, [chat]);

  const pass = (values: Values, element: HTMLFormElement) => {
    const panel = element.closest<HTMLElement>('.panel')!;
    if (consent) chat.saved.set('consent', consent.text);
    if (form) chat.saved.set('form', JSON.stringify(values));
    dropEntries(chat, scope);
    panel.focus({ preventScroll: true });
    chat.set({});
    // Drawn then. On a touch screen the keyboard would cover what comes next.
    requestAnimationFrame(() => {
      if (matchMedia('(pointer: fine)').matches)
        panel.querySelector<HTMLElement>('.composer textarea')?.focus({ preventScroll: true });
    });
  };

  return (
    <FieldsForm
      title={form?.title || label('beforeStart')}
      fields={form?.fields ?? []}
      scope={scope}
      action={label(consent ? 'agree' : 'start')}
      onValues={pass}
    >
      {consent && (
        <p class="consent" dir="auto">
          {consent.text}{' '}
          {consent.link && (
            <a href={consent.link} target="_blank" rel="noopener noreferrer">
              {label('readMore')}
            </a>
          )}
        </p>
      )}
    </FieldsForm>
  );
}
