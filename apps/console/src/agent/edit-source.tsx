import type { SourceView } from '@parley/protocol/settings/source';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { ChangedFields } from './changed-fields.tsx';
import { keepSource, keptSource } from './kept-source.ts';
import {
  changeField,
  changeProblems,
  changesOf,
  mergeChanges,
  type MergedChanges,
  type SourceChanges,
} from './source-changes.ts';

interface EditSourceProps {
  readonly source: SourceView;
  /** Somebody has asked for it just now. */
  readonly isFocused: boolean;
  readonly onSaved: () => Promise<void>;
  readonly onClose: (hadFocus: boolean) => void;
}

/** A source that is there, to be changed. What others change of it meanwhile stays. */
export function EditSource({ source, isFocused, onSaved, onClose }: EditSourceProps) {
  const { id, kind } = source;
  const [before, setBefore] = useState(() => keptSource(id) ?? source);
  const [overtaken, setOvertaken] = useState<MergedChanges | null>(null);
  const initial = useMemo(() => changesOf(before), [before]);
  const form = useForm<SourceChanges>({ name: `edit source ${id}`, initial, fieldOf: changeField });
  const isChanged = Object.keys(form.entries).length > 0;
  useEffect(() => keepSource(id, isChanged ? before : null), [id, isChanged, before]);
  useLayoutEffect(() => {
    if (isFocused) form.form.current?.querySelector<HTMLElement>('input, summary')?.focus();
  }, []);

  const close = () => {
    const hadFocus = form.form.current?.contains(document.activeElement) ?? false;
    form.reset();
    keepSource(id, null);
    onClose(hadFocus);
  };
  const save = async (event: Event) => {
    event.preventDefault();
    setOvertaken(null);
    const check = (entered: SourceChanges) => changeProblems(kind, entered);
    await form.submit(check, async (entered) => {
      const now = await call<SourceView>('GET', `/sources/${id}`);
      const merged = mergeChanges(before, entered, now);
      if (Object.keys(merged.overtaken).length > 0) {
        setBefore(now);
        setOvertaken(merged);
        form.change(merged.changes);
        return merged.overtaken;
      }
      const { name } = await call<SourceView>('PATCH', `/sources/${id}`, merged.patch);
      await onSaved();
      close();
      announce(kind === 'website' ? `${name} was changed, and is read again.` : `${name} was changed.`);
      return undefined;
    });
  };
  return (
    <form
      class="source-form"
      aria-label={`Edit ${source.name}`}
      ref={form.form}
      noValidate
      onSubmit={(event) => void save(event)}
    >
      {form.problem && <Problem>{form.problem}</Problem>}
      <ChangedFields form={form} stored={before} overtaken={overtaken} />
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={form.busy || !isChanged}>
          Save
        </button>
      </div>
    </form>
  );
}
