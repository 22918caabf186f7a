import type { KeyView } from '@parley/protocol/settings/key';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { originOf } from './origin.ts';
import { announce } from './announcement.tsx';
import { confirm } from './confirm.tsx';
import { Field } from './field.tsx';
import { Problem } from './notice.tsx';
import { useForm } from './use-form.ts';

interface OriginsProps {
  readonly keyView: KeyView;
  readonly onChanged: () => Promise<void>;
}

/** The pages that may use a publishable key. */
export function Origins({ keyView: { id, allowedOrigins }, onChanged }: OriginsProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({ name: `origins ${id}`, initial: { origin: '' }, fieldOf: () => 'origin' });
  /** Changes the list as it is by now: others may have changed it since it was shown. */
  const save = async (changed: (origins: readonly string[]) => readonly string[]) => {
    const { allowedOrigins: before } = await call<KeyView>('GET', `/keys/${id}`);
    await call('PATCH', `/keys/${id}`, { allowedOrigins: changed(before) });
    await onChanged();
  };
  const add = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      ({ origin }) =>
        originOf(origin) === null ? { origin: 'Enter an address such as https://www.example.com.' } : {},
      async ({ origin }) => {
        const added = originOf(origin) ?? '';
        await save((origins) => [...new Set([...origins, added])]);
        form.reset();
        announce(`Pages of ${added} may use the key.`);
      },
    );
  };
  const remove = async (origin: string) => {
    const text = 'The widget stops on its pages at once.';
    if (!(await confirm({ title: `Remove ${origin}?`, text, action: 'Remove address' }))) return;
    try {
      await save((origins) => origins.filter((each) => each !== origin));
      setProblem(null);
      announce(`Pages of ${origin} may not use the key any more.`);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <>
      {(problem ?? form.problem) && <Problem>{problem ?? form.problem}</Problem>}
      {allowedOrigins.length > 0 && (
        <ul class="rows">
          {allowedOrigins.map((origin) => (
            <li key={origin}>
              <span>{origin}</span>
              {isAtLeast('admin') && (
                <button
                  type="button"
                  class="button small"
                  aria-label={`Remove ${origin}`}
                  onClick={() => void remove(origin)}
                >
                  Remove
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isAtLeast('admin') && (
        <form class="inline" ref={form.form} noValidate onSubmit={(event) => void add(event)}>
          <Field label="Address of your website" error={form.errors['origin']}>
            <input
              type="text"
              inputMode="url"
              placeholder="https://www.example.com"
              {...form.control('origin')}
            />
          </Field>
          <button type="submit" class="button" disabled={form.busy}>
            Add address
          </button>
        </form>
      )}
    </>
  );
}
