import { useLayoutEffect, useRef } from 'preact/hooks';
import { Field } from '../ui/field.tsx';
import type { VisitorForm } from './form-entries.ts';
import { languageName, type Words, wordsProblems } from './language-entries.ts';
import { Lines } from './lines.tsx';
import { VisitorFormEditor } from './visitor-form.tsx';
import { countOf } from '../ui/count-of.ts';

interface LanguageWordsProps {
  readonly tag: string;
  readonly words: Words;
  /** What visitors of all other languages fill in. */
  readonly form: VisitorForm | null;
  readonly isChecked: boolean;
  readonly onChange: (change: Parameters<typeof import('./language-entries.ts').withWords>[1]) => void;
  readonly onRemove: () => void;
}

/** The words of one language, behind its name. */
export function LanguageWords({ tag, words, form, isChecked, onChange, onRemove }: LanguageWordsProps) {
  const { greeting = '', prompts = [], teaser = '', consent } = words;
  const problems = isChecked ? wordsProblems(words) : {};
  const hasProblems = Object.keys(problems).length > 0;
  const isEmpty = Object.keys(words).length === 0;
  const details = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (details.current && (hasProblems || isEmpty)) details.current.open = true;
  }, [hasProblems]);
  const name = languageName(tag);
  const agree = (text: string, link: string) =>
    onChange({ consent: text === '' && link === '' ? undefined : { text, ...(link !== '' && { link }) } });
  return (
    <details class="language" ref={details}>
      <summary>
        <span>{name}</span>
        <span class="meta">{isEmpty ? 'Nothing yet' : countOf(Object.keys(words).length, 'text')}</span>
      </summary>
      <div class="language-words" role="group" aria-label={name}>
        <Field label="Greeting">
          <input
            type="text"
            lang={tag}
            dir="auto"
            maxLength={500}
            autoComplete="off"
            value={greeting}
            onInput={({ currentTarget }) => onChange({ greeting: currentTarget.value })}
          />
        </Field>
        <Lines
          label="Prompts"
          hint="Up to four, one a line."
          error={problems['prompts']}
          value={prompts.join('\n')}
          onChange={(lines) =>
            onChange({
              prompts: lines
                .split('\n')
                .map((line) => line.trim())
                .filter(Boolean),
            })
          }
        />
        <Field label="Teaser">
          <input
            type="text"
            lang={tag}
            dir="auto"
            maxLength={200}
            autoComplete="off"
            value={teaser}
            onInput={({ currentTarget }) => onChange({ teaser: currentTarget.value })}
          />
        </Field>
        <Field label="What visitors agree to" error={problems['consentText']}>
          <textarea
            rows={2}
            lang={tag}
            dir="auto"
            maxLength={2_000}
            value={consent?.text ?? ''}
            onInput={({ currentTarget }) => agree(currentTarget.value, consent?.link ?? '')}
          />
        </Field>
        <Field label="Where to read more" error={problems['consentLink']}>
          <input
            type="url"
            autoComplete="off"
            placeholder="https://"
            value={consent?.link ?? ''}
            onInput={({ currentTarget }) => agree(consent?.text ?? '', currentTarget.value)}
          />
        </Field>
        <section class="language-form" aria-label={`Form in ${name}`}>
          <h2>Form</h2>
          {words.form ? (
            <VisitorFormEditor
              form={words.form}
              isChecked={isChecked}
              onChange={(next) => onChange({ form: next ?? undefined })}
            />
          ) : form ? (
            <p class="hint">
              Visitors fill in the form above.{' '}
              <button type="button" class="button small" onClick={() => onChange({ form })}>
                Translate it
              </button>
            </p>
          ) : (
            <p class="hint">There is none above.</p>
          )}
        </section>
        <button
          type="button"
          class="button small danger-quiet"
          aria-label={`Remove language ${name}`}
          onClick={onRemove}
        >
          Remove language
        </button>
      </div>
    </details>
  );
}
