import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import type { Values } from '../parts/form/entry-value.ts';
import { FieldsForm } from '../parts/form/fields-form.tsx';

const scope = 'gate';

/** What a visitor agrees to and is asked before the first message. Not sending is the way to decline. */
export function Gate() {
  const { conversation, label } = useWidget();
  const { consent, form } = useSignal(conversation.preChat) ?? {};

  const pass = (values: Values, element: HTMLFormElement) => {
    const panel = element.closest<HTMLElement>('.panel')!;
    conversation.keepFormEntries(scope, {});
    // Whoever has come to the panel goes on in its field.
    panel.focus({ preventScroll: true });
    conversation.passPreChat(values);
  };

  return (
    <FieldsForm
      title={form?.title || label('beforeStart')}
      fields={form?.fields ?? []}
      scope={scope}
      action={form?.action ?? label(consent ? 'agree' : 'start')}
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
