import { useId, useState } from 'preact/hooks';
import type { ConductProps } from '../agent/conduct-form.ts';
import { Field } from '../ui/field.tsx';
import { formOf } from './form-entries.ts';
import { useForm } from '../ui/use-form.ts';
import {
  languageName,
  languagesEntry,
  languagesOf,
  spokenLanguages,
  tagProblem,
  withWords,
} from './language-entries.ts';
import { LanguageWords } from './language-words.tsx';

interface LanguageFieldsProps extends ConductProps {
  readonly agentId: string;
}

/** What is said otherwise to visitors of a language. */
export function LanguageFields({ agentId, form: { values, errors, set } }: LanguageFieldsProps) {
  const languages = languagesOf(values.languages);
  const tags = Object.keys(languages);
  const update = (next: typeof languages) => set('languages', languagesEntry(next));
  return (
    <fieldset class="card">
      <legend>In other languages</legend>
      <p class="hint">
        Visitors whose browser prefers one of these languages read these words. What is empty stays as it is
        in the sections above.
      </p>
      {tags.map((tag) => (
        <LanguageWords
          key={tag}
          tag={tag}
          words={languages[tag]!}
          form={formOf(values.visitorForm)}
          isChecked={errors['languages'] !== undefined}
          onChange={(change) => update({ ...languages, [tag]: withWords(languages[tag]!, change) })}
          onRemove={() => {
            const { [tag]: _gone, ...rest } = languages;
            update(rest);
          }}
        />
      ))}
      {errors['languages'] && <p class="error">{errors['languages']}</p>}
      <NewLanguage
        agentId={agentId}
        languages={languages}
        onAdd={(tag) => update({ ...languages, [tag]: {} })}
      />
    </fieldset>
  );
}

interface NewLanguageProps {
  readonly agentId: string;
  readonly languages: Parameters<typeof tagProblem>[1];
  readonly onAdd: (tag: string) => void;
}

function NewLanguage({ agentId, languages, onAdd }: NewLanguageProps) {
  const list = useId();
  const { values, control, reset } = useForm({ name: `language beside ${agentId}`, initial: { tag: '' } });
  const [problem, setProblem] = useState<string | null>(null);
  const add = () => {
    const tag = values.tag.trim();
    const found = tagProblem(tag, languages);
    setProblem(found);
    if (found !== null) return;
    onAdd(tag);
    reset();
  };
  return (
    <div class="new-language">
      <Field label="Another language" hint="Such as de or pt-BR." error={problem ?? undefined}>
        <input
          type="text"
          maxLength={35}
          autoComplete="off"
          spellcheck={false}
          list={list}
          {...control('tag')}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
      </Field>
      <datalist id={list}>
        {spokenLanguages.map((tag) => (
          <option key={tag} value={tag}>
            {languageName(tag)}
          </option>
        ))}
      </datalist>
      <button type="button" class="button" onClick={add}>
        Add language
      </button>
    </div>
  );
}
