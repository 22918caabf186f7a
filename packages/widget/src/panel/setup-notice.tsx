import type { ParleyError } from '@parley/client/error';
import { useWidget } from '../widget-context.ts';
import { errorText } from './error-text.ts';
import { NoticeLine } from './notice-line.tsx';

const temporary = new Set<string>(['NETWORK', 'PROTOCOL', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL']);

export const mayPass = ({ code }: ParleyError): boolean => temporary.has(code);

/** Why the widget cannot run here; what may pass can be tried again. */
export function SetupNotice({ error, onRetry }: { error: ParleyError; onRetry: () => void }) {
  const { label } = useWidget();
  const retry = mayPass(error) && { action: label('retry'), onAction: onRetry };
  return <NoticeLine text={errorText(error.code, label)} {...retry} />;
}
