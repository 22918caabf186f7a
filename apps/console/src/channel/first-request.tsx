import { useState } from 'preact/hooks';
import { Code } from '../ui/code.tsx';
import { duration } from '../ui/duration.ts';
import { Field } from '../ui/field.tsx';

/** The service has ended a turn by then. */
const longestMs = 300_000;
const path = '/api/v1/agent/chat';

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly body: string;
}

/** What a server says first, to be copied, and run from here while the key is on the screen. */
export function FirstRequest({ secretKey }: { readonly secretKey: string }) {
  const [text, setText] = useState('Hello!');
  const [answer, setAnswer] = useState<Answer | string | null>(null);
  const [busy, setBusy] = useState(false);
  const body = JSON.stringify({ id: 'first-question', text });
  const run = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setAnswer(null);
    const startedAt = performance.now();
    try {
      const response = await fetch(path, {
        method: 'POST',
        // As a server would ask it: the key alone says who.
        credentials: 'omit',
        headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(longestMs),
      });
      const said = JSON.stringify(await response.json(), null, 2);
      setAnswer({ status: response.status, ms: performance.now() - startedAt, body: said });
    } catch {
      setAnswer('Nothing came back. Is this page still connected to the service?');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <p class="notice">Copy it now: it is stored as a hash, and never shown again.</p>
      <form class="inline" onSubmit={(event) => void run(event)}>
        <Field label="A first question">
          <input
            type="text"
            maxLength={20_000}
            required
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </Field>
        <button type="submit" class="button" disabled={busy}>
          {busy ? 'Asking…' : 'Run it here'}
        </button>
      </form>
      <Code
        label="Request"
        text={`curl ${location.origin}${path} \\
  -H 'Authorization: Bearer ${secretKey}' \\
  -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", String.raw`'\''`)}'`}
      />
      <div role="status">
        {typeof answer === 'string' && <p class="error">{answer}</p>}
        {answer !== null && typeof answer !== 'string' && (
          <p class="hint">
            {answer.status === 200
              ? `Answered after ${duration(answer.ms)}:`
              : `Refused with ${answer.status} after ${duration(answer.ms)}:`}
          </p>
        )}
      </div>
      {answer !== null && typeof answer !== 'string' && <Code label="Answer" text={answer.body} />}
    </>
  );
}
