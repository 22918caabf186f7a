import { useStore } from '../chat/use-store.ts';
import { errorText } from '../panel/error-text.ts';
import { useWidget } from '../widget-context.ts';

/** Sends what was filled in as JSON, and tells what became of it. */
export function useAnswer(requestId: string) {
  const { chat, label } = useWidget();
  const state = useStore(chat).answers.get(requestId);
  return {
    sending: state?.kind === 'sending',
    failure: state?.kind === 'failed' ? errorText(state.error.code, label) : undefined,
    answer: (value: unknown, form: HTMLFormElement) => {
      // The form goes; whoever is in it goes on in the conversation, at its end.
      const log = form.closest<HTMLElement>('.log')!;
      log.focus({ preventScroll: true });
      log.scrollTop = log.scrollHeight;
      void chat.respond(requestId, { text: JSON.stringify(value) });
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
