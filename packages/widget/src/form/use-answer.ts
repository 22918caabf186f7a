import { useState } from 'preact/hooks';
import { useStore } from '../chat/use-store.ts';
import { errorText } from '../panel/error-text.ts';
import { useWidget } from '../widget-context.ts';

/** How many characters the service takes. */
const longest = 20_000;

/** Sends what was filled in as JSON, and tells what became of it. */
export function useAnswer(requestId: string) {
  const { chat, label } = useWidget();
  const state = useStore(chat).answers.get(requestId);
  const [tooLong, setTooLong] = useState(false);
  const code = tooLong ? 'TOO_LARGE' : state?.kind === 'failed' ? state.error.code : undefined;
  return {
    sending: state?.kind === 'sending',
    failure: code && errorText(code, label),
    answer: (value: unknown, form: HTMLFormElement) => {
      const text = JSON.stringify(value);
      setTooLong(text.length > longest);
      if (text.length > longest) return;
      // The form goes; whoever is in it goes on in the conversation, at its end.
      const log = form.closest<HTMLElement>('.log')!;
      log.focus({ preventScroll: true });
      log.scrollTop = log.scrollHeight;
      void chat.respond(requestId, { text });
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
