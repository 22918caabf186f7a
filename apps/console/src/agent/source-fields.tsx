import { Field } from '../ui/field.tsx';
import type { FormFields } from '../ui/use-form.ts';

type Fields<Name extends string> = Omit<FormFields<Record<Name, string>>, 'values'>;

export const WebsiteField = ({ control, errors, hint }: Fields<'url'> & { readonly hint: string }) => (
  <Field label="Address" hint={hint} error={errors['url']}>
    <input
      type="url"
      autoComplete="off"
      maxLength={2_048}
      placeholder="https://www.example.com"
      {...control('url')}
    />
  </Field>
);

export const QuestionFields = ({ control, errors }: Fields<'question' | 'answer'>) => (
  <>
    <Field label="Question" error={errors['question']}>
      <input type="text" autoComplete="off" maxLength={1_000} {...control('question')} />
    </Field>
    <Field label="Answer" error={errors['answer']}>
      <textarea rows={4} maxLength={20_000} {...control('answer')} />
    </Field>
  </>
);

export const TextFields = ({ control, errors }: Fields<'title' | 'text'>) => (
  <>
    <Field label="Title" hint="Visitors see it under an answer." error={errors['title']}>
      <input type="text" autoComplete="off" maxLength={80} {...control('title')} />
    </Field>
    <Field label="Text" hint="Plain, or Markdown with headings." error={errors['text']}>
      <textarea rows={8} maxLength={200_000} {...control('text')} />
    </Field>
  </>
);
