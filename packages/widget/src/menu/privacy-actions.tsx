import { ParleyError, type ParleyErrorCode } from '@parley/client/error';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { countLabel } from '../i18n/count-label.ts';
import { errorText } from '../ui/error-text.ts';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { printConversation } from './print-conversation.ts';
import { saveFile } from './save-file.ts';

type Deletion = 'none' | 'asked' | 'running' | 'failed' | 'done';
const words = {
  one: { name: 'deleteData', means: 'deleteMeans', done: 'deleted' },
  all: { name: 'deleteAll', means: 'deleteAllMeans', done: 'deletedAll' },
} as const;

/** What visitors may do with what is stored of them: take it along, print it, have it deleted. */
export function PrivacyActions({ close }: { close: () => void }) {
  const widget = useWidget();
  const { conversation, listing, label } = widget;
  const visitor = useSignal(conversation.visitor);
  const session = useSignal(conversation.session);
  const [deletion, setDeletion] = useState<Deletion>('none');
  /** What is to be deleted. */
  const [what, setWhat] = useState<keyof typeof words>('one');
  const [count, setCount] = useState(0);
  const [problem, setProblem] = useState<ParleyErrorCode | null>(null);
  const group = useRef<HTMLDivElement>(null);
  const asked = deletion !== 'none' && deletion !== 'done';
  useLayoutEffect(() => {
    if (asked) group.current?.querySelector<HTMLElement>('.pair button')?.focus();
  }, [asked, what]);

  const attempt = async (action: () => Promise<unknown>) => {
    setProblem(null);
    try {
      await action();
      return true;
    } catch (error) {
      setProblem(error instanceof ParleyError ? error.code : 'PROTOCOL');
      return false;
    }
  };
  const focus = (selector: string) =>
    group.current?.closest('details')?.querySelector<HTMLElement>(selector)?.focus();

  const download = async () => {
    if (!session) return;
    const saved = await attempt(async () => saveFile((await conversation.download())!));
    if (saved) close();
  };
  const print = (panel: HTMLElement) => {
    close();
    listing.value = false;
    const { length } = conversation.transcript.value.turns;
    void printConversation(panel, length, conversation.generation.value);
  };
  const erase = async () => {
    if (deletion === 'running') return;
    setDeletion('running');
    setCount(0);
    // What has the focus goes with the conversation.
    const end = conversation.session.subscribe((now) => now === session || focus('summary'));
    const isErased = await attempt(() =>
      what === 'all' ? conversation.eraseAll(setCount) : conversation.erase(),
    );
    end();
    setDeletion(isErased ? 'done' : 'failed');
    if (what === 'all' && isErased) focus('summary');
  };
  const isAsked = (about: typeof what) => asked && what === about;
  const deletionOf = (about: typeof what) => (
    <>
      <button
        type="button"
        class={`menu-item delete delete-${about}`}
        aria-expanded={isAsked(about)}
        onClick={() => {
          if (deletion === 'running') return;
          setProblem(null);
          setWhat(about);
          setDeletion(isAsked(about) ? 'none' : 'asked');
        }}
      >
        {label(words[about].name)}
      </button>
      {isAsked(about) && (
        <div class="confirm" role="group" aria-label={label(words[about].name)}>
          <p>
            {label(words[about].means)} {about === 'one' && visitor && label('deleteOthers')}
          </p>
          <div class="pair">
            <button
              type="button"
              class="button small"
              onClick={() => {
                focus(`.delete-${about}`);
                setDeletion('none');
                setProblem(null);
              }}
            >
              {label('cancel')}
            </button>
            <button type="button" class="button small danger" onClick={() => void erase()}>
              {label(deletion === 'running' ? 'working' : deletion === 'failed' ? 'retry' : 'deleteNow')}
            </button>
          </div>
        </div>
      )}
    </>
  );

  return (
    <div class="rights" ref={group}>
      {session && (
        <>
          <button type="button" class="menu-item" onClick={() => void download()}>
            {label('download')}
          </button>
          <button
            type="button"
            class="menu-item"
            onClick={({ currentTarget }) => print(currentTarget.closest<HTMLElement>('.panel')!)}
          >
            {label('print')}
          </button>
          {deletionOf('one')}
        </>
      )}
      {visitor && deletionOf('all')}
      <div role="status">
        {what === 'all' && deletion === 'running' && count > 0 && (
          <p class="meta">{countLabel(widget, 'deleting', count)}</p>
        )}
        {problem && (
          <p class="problem">
            {errorText(problem, label)} {deletion === 'failed' && label('notDeleted')}
          </p>
        )}
        {deletion === 'done' && <p>{label(words[what].done)}</p>}
      </div>
    </div>
  );
}
