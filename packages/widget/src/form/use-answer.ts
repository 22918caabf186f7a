import { useState } from 'preact/hooks';
import { respond } from '../cards/respond.ts';
import type { Answer } from '../chat/chat-state.ts';
import { useStore } from '../chat/use-store.ts';
import { errorText } from '../panel/error-text.ts';
import { useWidget } from '../widget-context.ts';

/** How many characters the service takes. */
const longest = 20_000;

/** Sends an answer, and tells what became of it. */
export function useAnswer(requestId: string) {
  const { chat, label } = useWidget();
  const state = useStore(chat).answers.get(requestId);
  const [tooLong, setTooLong] = useState(false);
  const code = tooLong ? 'TOO_LARGE' : state?.kind === 'failed' ? state.error.code : undefined;
  return {
    sending: state?.kind === 'sending',
    failure: code && errorText(code, label),
    answer: (answer: Answer, form: HTMLFormElement) => {
      const fits = (answer.text ?? '').length <= longest;
      setTooLong(!fits);
      if (!fits) return;
      // The form goes; whoever is in it goes on in the conversation, at its end.
      const log = form.closest<HTMLElement>('.log')!;
      log.focus({ preventScroll: true });
      log.dispatchEvent(new Event('release'));
      void respond(chat, requestId, answer);
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
