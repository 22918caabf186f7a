import type { Setup } from '@parley/conversation';
import { useWidget } from '../widget-context.ts';
import { errorText } from '../ui/error-text.ts';
import { NoticeLine } from '../ui/notice-line.tsx';

/** Why the widget cannot run here; what may pass can be tried again. */
export function SetupNotice({ error, temporary }: Extract<Setup, { kind: 'failed' }>) {
  const { chat, label } = useWidget();
  const retry = temporary && { action: label('retry'), onAction: chat.retrySetup };
  return <NoticeLine text={errorText(error.code, label)} {...retry} />;
}
