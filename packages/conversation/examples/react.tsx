import { type Conversation, createConversation } from '@parley/conversation';
import { useEffect, useState, useSyncExternalStore } from 'react';

/** The value of one of its signals: the component is rendered again whenever it changes. */
function useSignal<Value>(signal: { value: Value; subscribe: (changed: () => void) => () => void }): Value {
  const read = () => signal.value;
  return useSyncExternalStore((changed) => signal.subscribe(changed), read, read);
}

export function Chat({ baseUrl, publishableKey }: { baseUrl: string; publishableKey: string }) {
  const [conversation, setConversation] = useState<Conversation>();
  useEffect(() => {
    const begun = createConversation({
      baseUrl,
      key: publishableKey,
      environment: {
        storage: () => localStorage,
        openChannel: (name) => new BroadcastChannel(name),
        locks: navigator.locks,
        events: globalThis,
        isOnline: () => navigator.onLine,
        isHidden: () => document.hidden,
      },
    });
    begun.show(true);
    setConversation(begun);
    return begun.dispose;
  }, [baseUrl, publishableKey]);
  return conversation ? <Thread conversation={conversation} /> : null;
}

export function Thread({ conversation }: { conversation: Conversation }) {
  const { turns, requests } = useSignal(conversation.transcript);
  const outbox = useSignal(conversation.outbox);
  const draft = useSignal(conversation.draft.state);
  const busy = useSignal(conversation.busy);
  return (
    <section>
      {turns.map(({ id, user, parts }) => (
        <article key={id}>
          {user && <p>You: {user.text}</p>}
          {parts.map((part, index) => part.kind === 'text' && <p key={index}>{part.text}</p>)}
        </article>
      ))}
      {outbox.map(({ id, text, state }) => (
        <p key={id}>
          You: {text} ({state.kind}){' '}
          {state.kind === 'failed' && <button onClick={() => conversation.retry(id)}>Try again</button>}
        </p>
      ))}
      {requests.map(({ requestId, prompt, options = [] }) => (
        <fieldset key={requestId}>
          <legend>{prompt}</legend>
          {options.map(({ id, label }) => (
            <button key={id} onClick={() => conversation.respond(requestId, { optionId: id })}>
              {label}
            </button>
          ))}
        </fieldset>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (conversation.send(draft.text)) conversation.draft.change({ text: '' });
        }}
      >
        <input
          value={draft.text}
          onChange={(event) => conversation.draft.change({ text: event.currentTarget.value })}
        />
        <button>Send</button>
        {busy && (
          <button type="button" onClick={() => conversation.stop()}>
            Stop
          </button>
        )}
      </form>
    </section>
  );
}
