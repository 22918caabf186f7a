import type { Setup } from '@parley/conversation';
import { CardIcon } from '../ui/card-icon.tsx';
import { useWidget } from '../widget-context.ts';
import { errorText } from '../ui/error-text.ts';

/** Why the widget cannot run here, and what a visitor can do: what may pass can be tried again. */
export function SetupNotice({ error, temporary }: Extract<Setup, { kind: 'failed' }>) {
  const { conversation, face, label } = useWidget();
  return (
    <>
      {error.notice === undefined && <CardIcon name="alert" />}
      <p role="status">{error.notice ?? errorText(error.code, label)}</p>
      {temporary && (
        <button type="button" class="button" onClick={conversation.retrySetup}>
          {label('retry')}
        </button>
      )}
      {face.fallback && (
        <a class="button" href={face.fallback}>
          {label('fallback')}
        </a>
      )}
    </>
  );
}
