import { useRef, useState } from 'preact/hooks';
import { ApiError, sentenceOf } from '../api/api-error.ts';
import { keepEntries, keptEntries } from './kept-entries.ts';

type Values = Record<string, string>;
type Errors = Readonly<Record<string, string>>;

interface ControlProps {
  readonly name: string;
  readonly value: string;
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

interface FormOptions<Entries extends Values> {
  /** Under which entries outlive a reload and an ended session. */
  readonly name: string;
  readonly initial: Entries;
  /** Fields that are written nowhere. */
  readonly secret?: readonly (keyof Entries & string)[];
  /** Which field of the form shows an issue of a field of the request; by default the one of its name. */
  readonly fieldOf?: (path: string) => string;
}

/** What the controls of a form take of it. */
export interface FormFields<Entries extends Values> {
  readonly values: Entries;
  readonly errors: Errors;
  readonly control: (field: keyof Entries & string) => ControlProps;
}

/** What was entered into a form, and what is wrong with it. */
export function useForm<Entries extends Values>({
  name,
  initial,
  secret = [],
  fieldOf,
}: FormOptions<Entries>) {
  const [entries, setEntries] = useState(() => keptEntries(name) as Partial<Entries>);
  const [errors, setErrors] = useState<Errors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const values = { ...initial, ...entries } as Entries;
  // Ahead of what is drawn, for what goes on after a wait.
  const latest = useRef(entries);
  /** What was last sent, until something else is entered. */
  const sent = useRef<Partial<Entries> | null>(null);
  const isSending = useRef(false);

  function place(next: Partial<Entries>): void {
    latest.current = next;
    setEntries(next);
    keepEntries(name, next as Values, secret);
  }

  function change(changes: Partial<Entries>): void {
    const next = { ...latest.current, ...changes };
    for (const field of Object.keys(next)) if (next[field] === initial[field]) delete next[field];
    if (!isSending.current) sent.current = null;
    place(next);
  }

  const set = (field: keyof Entries & string, value: string): void =>
    change({ [field]: value } as Partial<Entries>);

  const latestValues = (): Entries => ({ ...initial, ...latest.current });

  /** Takes everything back; after it was sent, all but what was entered meanwhile. */
  function reset(): void {
    const done = sent.current ?? latest.current;
    sent.current = null;
    const entered = Object.entries(latest.current).filter(([field, value]) => value !== done[field]);
    place(Object.fromEntries(entered) as Partial<Entries>);
    setErrors({});
    setProblem(null);
  }

  function show(found: Errors, sentence: string | null): void {
    setErrors(found);
    setProblem(sentence);
    // Once it is drawn.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  }

  /**
   * Checks, then does; what goes wrong is shown at its field, as is what `send` finds wrong by what it reads first. True
   * when it was done.
   */
  async function submit(
    check: (values: Entries) => Errors,
    send: (values: Entries) => Promise<Errors | void>,
  ) {
    const found = check(values);
    show(found, null);
    if (Object.keys(found).length > 0) return false;
    setBusy(true);
    sent.current = latest.current;
    isSending.current = true;
    try {
      const wrong = await send(values);
      if (!wrong) return true;
      sent.current = null;
      show(wrong, null);
      return false;
    } catch (error) {
      sent.current = null;
      const issues = error instanceof ApiError ? Object.entries(error.fields) : [];
      const placed = Object.fromEntries(issues.map(([path, text]) => [fieldOf?.(path) ?? path, text]));
      const isPlaced = issues.length > 0 && Object.keys(placed).every((field) => field in initial);
      show(placed, isPlaced ? null : sentenceOf(error));
      return false;
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  }

  const control = (field: keyof Entries & string): ControlProps => ({
    name: field,
    value: values[field] ?? '',
    onInput: ({ currentTarget }) => set(field, currentTarget.value),
  });

  return { form, values, latestValues, entries, errors, problem, busy, set, change, reset, submit, control };
}
