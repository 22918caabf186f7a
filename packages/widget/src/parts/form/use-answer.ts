import type { Reply } from '@parley/conversation';
import { useState } from 'preact/hooks';
import { errorText } from '../../ui/error-text.ts';
import { useSignal } from '../../ui/use-signal.ts';
import { useWidget } from '../../widget-context.ts';

/** How many characters the service takes. */
const longest = 20_000;

/** Sends an answer, and tells what became of it. */
export function useAnswer(requestId: string) {
  const { conversation, label } = useWidget();
  const state = useSignal(conversation.replies).get(requestId);
  const [tooLong, setTooLong] = useState(false);
  const code = tooLong ? 'TOO_LARGE' : state?.kind === 'failed' ? state.error.code : undefined;
  return {
    sending: state?.kind === 'sending',
    failure: code && errorText(code, label),
    answer: (answer: Reply, form: HTMLFormElement) => {
      const fits = (answer.text ?? '').length <= longest;
      setTooLong(!fits);
      if (!fits) return;
      // The form goes; whoever is in it goes on in the conversation, at its end.
      const log = form.closest<HTMLElement>('.log')!;
      log.focus({ preventScroll: true });
      log.dispatchEvent(new Event('release'));
      conversation.respond(requestId, answer);
    },
  };
}

/** The JSON of an answer; somebody who just typed has sent none. */
export function readAnswer(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
