import type { ToolTestView } from '@parley/protocol/settings/tool-trial';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Field } from '../ui/field.tsx';
import { useForm } from '../ui/use-form.ts';
import { parseJson } from './json.ts';
import { rowsOf } from './parameter-rows.ts';
import { createOf, patchOf, type StoredTool, toolProblems } from './tool-entries.ts';
import type { ToolFormState } from './tool-fields.ts';
import { argumentsOf } from './trial-arguments.ts';
import { TrialFields } from './trial-fields.tsx';
import { TrialResult } from './trial-result.tsx';

/** What it takes beside the request itself, when others have theirs made too. */
const answerMs = 20_000;

interface ToolTrialProps {
  readonly form: ToolFormState;
  readonly before: StoredTool | null;
  readonly id: string | undefined;
}

/** Runs what is entered, saved or not, and shows what the model would see. */
export function ToolTrial({ form, before, id }: ToolTrialProps) {
  const [result, setResult] = useState<ToolTestView | null>(null);
  const texts = useForm({ name: `trial of ${id ?? 'a new tool'}`, initial: { entered: '{}' } });
  const entered = parseJson(texts.values.entered) as Record<string, string>;
  const rows = rowsOf(form.values.parameters);
  const enter = (name: string, value: string) =>
    texts.set('entered', JSON.stringify({ ...entered, [name]: value }));
  const run = async () => {
    setResult(null);
    const check = (values: typeof form.values) => toolProblems(values, before);
    await form.submit(check, async (values) => {
      const input = rows === null ? parseJson(entered['{}'] ?? '{}') : argumentsOf(rows, entered);
      const isStored = before !== null && id !== undefined;
      const body = isStored ? { input, changes: patchOf(values, before) } : { input, tool: createOf(values) };
      const path = isStored ? `/tools/${id}/test` : '/tools/test';
      const timeoutMs = Number(values.seconds) * 1_000 + answerMs;
      setResult(await call<ToolTestView>('POST', path, body, AbortSignal.timeout(timeoutMs)));
    });
  };
  return (
    <fieldset class="card">
      <legend>Try it</legend>
      <p class="hint">
        Sends the request for real, as it is entered above and for no visitor. Nobody is asked for an
        approval: you give it by trying.
      </p>
      {rows === null ? (
        <Field label="Arguments" hint="JSON.">
          <textarea
            class="tool-code"
            rows={3}
            value={entered['{}'] ?? '{}'}
            onInput={({ currentTarget }) => enter('{}', currentTarget.value)}
          />
        </Field>
      ) : (
        rows.length > 0 && <TrialFields rows={rows} entered={entered} onChange={enter} />
      )}
      <div class="actions">
        <button type="button" class="button" disabled={form.busy} onClick={() => void run()}>
          Send the request
        </button>
      </div>
      <div role="status">{result && <TrialResult result={result} />}</div>
    </fieldset>
  );
}
