import type { ToolDocumentView } from '@parley/protocol/settings/tool-trial';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import type { ImportProps } from './import-props.ts';
import { maxDocumentBytes } from './max-document-bytes.ts';
import type { OpenApiDocument, Operation } from './openapi-document.ts';
import { OperationList } from './operation-list.tsx';

/** An address may lead on to others. */
const readMs = 90_000;

interface Read {
  readonly document: OpenApiDocument;
  /** Where it was found; null: in a file. */
  readonly address: string | null;
}

export function ImportApi({ agentId, onMade }: ImportProps) {
  const [read, setRead] = useState<Read | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const {
    form,
    errors,
    control,
    submit,
    busy,
    problem: unread,
  } = useForm({
    name: 'OpenAPI document',
    initial: { url: '' },
  });
  const open = async (text: string, address: string | null) => {
    // With a reader of YAML, which most people need once.
    const { OpenApiDocument } = await import('./openapi-document.ts');
    const document = OpenApiDocument.read(text);
    setRead(typeof document === 'string' ? null : { document, address });
    setProblem(typeof document === 'string' ? document : null);
  };
  const load = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ url }) =>
        URL.canParse(url) ? {} : { url: 'Enter an address such as https://api.example.com/openapi.json.' },
      async ({ url }) => {
        const found = await call<ToolDocumentView>(
          'POST',
          '/tools/document',
          { agentId, url },
          AbortSignal.timeout(readMs),
        );
        if (found.status === 'read') await open(found.text, found.address);
        else setProblem(found.message);
      },
    );
  };
  const openFile = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > maxDocumentBytes) setProblem('The document is larger than 5 MB.');
    else await open(await file.text(), null);
  };
  const make = async ({ document, address }: Read, picked: readonly Operation[]) => {
    const { toolOfOperation } = await import('./openapi-tool.ts');
    onMade(picked.map((operation) => toolOfOperation(document, operation, address)));
  };
  return (
    <>
      <form class="inline" ref={form} noValidate onSubmit={(event) => void load(event)}>
        <Field label="Its address" error={errors['url']}>
          <input
            type="url"
            autoComplete="off"
            maxLength={2_000}
            placeholder="https://api.example.com/openapi.json"
            {...control('url')}
          />
        </Field>
        <button type="submit" class="button" disabled={busy}>
          Read it
        </button>
      </form>
      <Field label="Or a file" hint="JSON or YAML, OpenAPI 3. It stays in your browser.">
        <input
          type="file"
          accept=".json,.yaml,.yml"
          onChange={({ currentTarget }) => void openFile(currentTarget.files?.[0])}
        />
      </Field>
      {(problem ?? unread) && <Problem>{problem ?? unread}</Problem>}
      {read && <OperationList document={read.document} onPicked={(picked) => void make(read, picked)} />}
    </>
  );
}
