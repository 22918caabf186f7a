import type { ThreadView } from '@parley/protocol/settings/inbox';
import { useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { Time } from '../ui/time.tsx';
import { useForm } from '../ui/use-form.ts';
import { leaveField } from './leave-field.ts';
import { useKeys } from './use-keys.ts';

interface TeamQuestionProps {
  readonly id: string;
  readonly question: ThreadView['questions'][number];
  readonly mayAnswer: boolean;
  readonly reload: () => Promise<void>;
  readonly onFailure: (sentence: string | null) => void;
}

/** What the agent wants to know of the team. The first answer is what it goes on with. */
export function TeamQuestion({ id, question: asked, mayAnswer, reload, onFailure }: TeamQuestionProps) {
  const { requestId, question, expiresAt } = asked;
  const { values, control, reset } = useForm({ name: `answer ${requestId}`, initial: { text: '' } });
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useKeys({ a: () => field.current?.focus() });
  const text = values.text.trim();
  const send = async () => {
    if (text === '' || isBusy) return;
    setBusy(true);
    try {
      await call('POST', `/conversations/${id}/answers`, { requestId, text });
      reset();
      // It goes with the question, and whoever has sent it writes nothing more in it.
      if (document.activeElement === field.current && field.current) leaveField(field.current);
      onFailure(null);
      announce('Answered. The agent goes on.');
    } catch (error) {
      onFailure(sentenceOf(error));
    }
    await reload();
    setBusy(false);
  };
  return (
    <section class="approval-request" aria-label="Question of the agent">
      <p>
        <strong>The agent asks the team</strong>{' '}
        <span class="meta">
          The visitor reads that it is checking with a colleague, and sees neither this nor your answer.
          {expiresAt !== null && (
            <>
              {' '}
              Until <Time at={expiresAt} />.
            </>
          )}
        </span>
      </p>
      <p class="saved-text" dir="auto">
        {question}
      </p>
      {mayAnswer && (
        <form
          class="team-answer"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <textarea
            ref={field}
            rows={2}
            maxLength={8_000}
            dir="auto"
            aria-label="Answer for the agent"
            placeholder="Answer the agent…"
            onKeyDown={(event) => {
              if (event.key === 'Escape') leaveField(event.currentTarget);
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              void send();
            }}
            {...control('text')}
          />
          <button type="submit" class="button primary" disabled={isBusy || text === ''}>
            Answer
          </button>
        </form>
      )}
    </section>
  );
}
