import { Field } from '../ui/field.tsx';
import { useForm } from '../ui/use-form.ts';
import { toolOfCurl } from './curl-tool.ts';
import type { ImportProps } from './import-props.ts';

const example = `curl -X POST 'https://api.example.com/orders/{{order}}/refund' \\
  -H 'Authorization: Bearer …' \\
  --json '{"reason": "It came late."}'`;

export function ImportCurl({ onMade }: ImportProps) {
  // It may hold a key, so it is written nowhere.
  const { form, values, errors, control, submit } = useForm({
    name: 'curl line',
    initial: { line: '' },
    secret: ['line'],
  });
  const make = async (event: Event) => {
    event.preventDefault();
    const proposal = toolOfCurl(values.line);
    await submit(
      () => (typeof proposal === 'string' ? { line: proposal } : {}),
      async () => {
        if (typeof proposal !== 'string') onMade([proposal]);
      },
    );
  };
  return (
    <form ref={form} noValidate onSubmit={(event) => void make(event)}>
      <Field
        label="The line"
        hint="Each value of it becomes something that the agent fills in, and each key a secret. Nothing is sent."
        error={errors['line']}
      >
        <textarea class="tool-code" rows={6} spellcheck={false} placeholder={example} {...control('line')} />
      </Field>
      <button type="submit" class="button primary">
        Make a tool
      </button>
    </form>
  );
}
