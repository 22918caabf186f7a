import { useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { tenant } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { focusOnMount } from '../ui/focus-on-mount.ts';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { moved } from './moved.ts';
import { newKey } from './new-key.ts';

/** As many as the settings take. */
const maxEntries = 20;

interface Entry {
  readonly id: string;
  readonly name: string;
}

interface PipelineListProps {
  readonly title: string;
  readonly noun: string;
  readonly hint: string;
  readonly entries: readonly Entry[];
  readonly fewest: number;
  /** Gives what is stored then. */
  readonly save: (change: Change) => Promise<readonly Entry[]>;
}

/** Of the entries as they are by now: others may have changed them since they were shown. */
type Change = (now: readonly Entry[]) => Entry[];

/** Stages or fields in their order: added, renamed, moved and removed, each at once. */
export function PipelineList({ title, noun, hint, entries, fewest, save }: PipelineListProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const change = async (make: Change, done: (after: readonly Entry[]) => void) => {
    try {
      const after = await save(make);
      setProblem(null);
      done(after);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  const move = ({ id, name }: Entry, by: 1 | -1) =>
    change(
      (now) => moved(now, id, by),
      (after) => {
        const place = after.findIndex((each) => each.id === id);
        if (place === -1) return announce(goneSentence(name));
        announce(`${name} is number ${place + 1}.`);
        const isAtEnd = place === (by === 1 ? after.length - 1 : 0);
        const focus = `${id} ${(by === 1) === isAtEnd ? 'up' : 'down'}`;
        requestAnimationFrame(() =>
          list.current?.querySelector<HTMLElement>(`[data-of="${focus}"]`)?.focus(),
        );
      },
    );
  return (
    <section class="card">
      <h2>{title}</h2>
      <p class="meta">{hint}</p>
      {problem && <Problem>{problem}</Problem>}
      <ol class="rows" ref={list}>
        {entries.map((entry, place) => (
          <li key={entry.id}>
            {renamed === entry.id ? (
              <NameForm
                name={`rename ${noun} ${entry.id} of ${tenant.value?.id}`}
                label={`Name of ${entry.name}`}
                initial={entry.name}
                action="Save"
                send={async (name) => {
                  const after = await save((now) =>
                    now.map((each) => (each.id === entry.id ? { ...each, name } : each)),
                  );
                  setRenamed(null);
                  const isThere = after.some(({ id }) => id === entry.id);
                  announce(isThere ? `It is called ${name} now.` : goneSentence(entry.name));
                }}
                cancel={() => setRenamed(null)}
                isFocused
              />
            ) : (
              <>
                <span class="row-name" dir="auto">
                  {entry.name}
                </span>
                <div class="actions">
                  <button
                    type="button"
                    class="button small"
                    data-of={`${entry.id} up`}
                    aria-label={`Move ${entry.name} up`}
                    disabled={place === 0}
                    onClick={() => void move(entry, -1)}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    class="button small"
                    data-of={`${entry.id} down`}
                    aria-label={`Move ${entry.name} down`}
                    disabled={place === entries.length - 1}
                    onClick={() => void move(entry, 1)}
                  >
                    ↓
                  </button>
                  <button
                    type="button"
                    class="button small"
                    aria-label={`Rename ${entry.name}`}
                    onClick={() => setRenamed(entry.id)}
                  >
                    Rename
                  </button>
                  <button
                    type="button"
                    class="button small danger-quiet"
                    aria-label={`Remove ${entry.name}`}
                    disabled={entries.length <= fewest}
                    onClick={() =>
                      void change(
                        (now) => now.filter(({ id }) => id !== entry.id),
                        () => announce(`${entry.name} was removed.`),
                      )
                    }
                  >
                    Remove
                  </button>
                </div>
              </>
            )}
          </li>
        ))}
      </ol>
      {entries.length < maxEntries && (
        <NameForm
          name={`new ${noun} of ${tenant.value?.id}`}
          label={`New ${noun}`}
          initial=""
          action={`Add ${noun}`}
          send={async (name) => {
            await save((now) => [...now, { id: newKey(name, now), name }]);
            announce(`${name} was added.`);
          }}
        />
      )}
    </section>
  );
}

const goneSentence = (name: string) => `${name} was removed meanwhile.`;

interface NameFormProps {
  readonly name: string;
  readonly label: string;
  readonly initial: string;
  readonly action: string;
  readonly send: (name: string) => Promise<void>;
  readonly cancel?: () => void;
  readonly isFocused?: boolean;
}

function NameForm({ name, label, initial, action, send, cancel, isFocused }: NameFormProps) {
  const form = useForm({ name, initial: { name: initial }, fieldOf: () => 'name' });
  const submit = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      (values) => (values.name.trim() === '' ? { name: 'Give it a name.' } : {}),
      async (values) => {
        await send(values.name.trim());
        form.reset();
      },
    );
  };
  return (
    <form ref={form.form} class="inline" noValidate onSubmit={(event) => void submit(event)}>
      <Field label={label} error={form.errors['name'] ?? form.problem ?? undefined}>
        <input
          type="text"
          dir="auto"
          maxLength={60}
          autocomplete="off"
          ref={isFocused ? focusOnMount : null}
          {...form.control('name')}
        />
      </Field>
      <button type="submit" class="button" disabled={form.busy}>
        {action}
      </button>
      {cancel && (
        <button
          type="button"
          class="button"
          onClick={() => {
            form.reset();
            cancel();
          }}
        >
          Cancel
        </button>
      )}
    </form>
  );
}
