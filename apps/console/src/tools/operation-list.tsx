import { useState } from 'preact/hooks';
import { Field } from '../ui/field.tsx';
import type { OpenApiDocument, Operation } from './openapi-document.ts';

/** More tools than an agent chooses well from. */
const maxPicked = 30;

interface OperationListProps {
  readonly document: OpenApiDocument;
  readonly onPicked: (operations: readonly Operation[]) => void;
}

/** What an API can do, to pick what an agent may. */
export function OperationList({ document: { operations, left }, onPicked }: OperationListProps) {
  const [wanted, setWanted] = useState('');
  const [picked, setPicked] = useState<ReadonlySet<Operation>>(new Set());
  const shown = operations.filter(({ method, path, title }) =>
    `${method} ${path} ${title}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  const toggle = (operation: Operation, isPicked: boolean) => {
    const next = new Set(picked);
    if (isPicked) next.add(operation);
    else next.delete(operation);
    setPicked(next);
  };
  const isTooMany = picked.size > maxPicked;
  return (
    <>
      <Field label={`Pick from ${operations.length} operations`}>
        <input
          type="search"
          autoComplete="off"
          placeholder="Find by name or path"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      </Field>
      {left > 0 && <p class="hint">{left} more are not listed: the document is too long.</p>}
      {shown.length === 0 && <p class="hint">None is called so.</p>}
      <ul class="rows tool-operations" aria-label="Operations">
        {shown.map((operation) => (
          <li key={`${operation.method} ${operation.path}`}>
            <label class="tool-check">
              <input
                type="checkbox"
                checked={picked.has(operation)}
                onChange={({ currentTarget }) => toggle(operation, currentTarget.checked)}
              />
              <span>
                {operation.title || operation.path}
                <span class="meta">
                  {operation.method} {operation.path}
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button
          type="button"
          class="button primary"
          disabled={picked.size === 0 || isTooMany}
          onClick={() => onPicked(operations.filter((operation) => picked.has(operation)))}
        >
          {picked.size === 1 ? 'Make 1 tool' : `Make ${picked.size} tools`}
        </button>
        {isTooMany && (
          <p class="hint">
            {maxPicked} at once at most. An agent chooses best from few: pick what visitors need.
          </p>
        )}
      </div>
    </>
  );
}
