import type { TeamSettings } from '@parley/protocol/settings/team';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { tenant } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';

type Replies = TeamSettings['replies'];

interface SavedRepliesProps {
  readonly replies: Replies;
  /** Changes them as they are by now: others may have changed them since they were shown. */
  readonly save: (change: (now: Replies) => Replies) => Promise<void>;
}

/** Replies that members put in with two keys instead of writing them again. */
export function SavedReplies({ replies, save }: SavedRepliesProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    name: `saved reply of ${tenant.value?.id}`,
    initial: { name: '', text: '' },
    fieldOf: () => 'text',
  });
  const add = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      ({ name, text }) => ({
        ...(name.trim() === '' && { name: 'Give the reply a name.' }),
        ...(text.trim() === '' && { text: 'Write the reply.' }),
      }),
      async ({ name, text }) => {
        await save((now) => [...now, { name, text }]);
        form.reset();
        announce('The reply is saved.');
      },
    );
  };
  const remove = async ({ name, text }: Replies[number]) => {
    try {
      await save((now) => {
        const place = now.findIndex((each) => each.name === name && each.text === text);
        return now.filter((_, index) => index !== place);
      });
      setProblem(null);
      announce('The reply was removed.');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <section class="card">
      <h2>Saved replies</h2>
      {(problem ?? form.problem) && <Problem>{problem ?? form.problem}</Problem>}
      {replies.length > 0 && (
        <ul class="rows">
          {replies.map((reply, place) => (
            <li key={`${place} ${reply.name}`}>
              <span>
                <span class="row-name">{reply.name}</span>
                <span class="meta saved-text">{reply.text}</span>
              </span>
              <button
                type="button"
                class="button small danger-quiet"
                aria-label={`Remove ${reply.name}`}
                onClick={() => void remove(reply)}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <form ref={form.form} class="stack" noValidate onSubmit={(event) => void add(event)}>
        <Field label="Name" error={form.errors['name']}>
          <input type="text" maxLength={100} autocomplete="off" {...form.control('name')} />
        </Field>
        <Field label="Reply" error={form.errors['text']}>
          <textarea rows={3} maxLength={4_000} {...form.control('text')} />
        </Field>
        <div class="actions">
          <button type="submit" class="button" disabled={form.busy}>
            Add reply
          </button>
        </div>
      </form>
    </section>
  );
}
