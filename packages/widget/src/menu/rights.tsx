import { ParleyError, type ParleyErrorCode } from '@parley/client/error';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../ui/error-text.ts';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { printConversation } from './print-conversation.ts';
import { saveFile } from './save-file.ts';

type Deletion = 'none' | 'asked' | 'running' | 'failed' | 'done';

/** What visitors may do with what is stored of them: take it along, print it, have it deleted. */
export function Rights({ close }: { close: () => void }) {
  const { conversation, listing, label } = useWidget();
  const session = useSignal(conversation.session);
  const [deletion, setDeletion] = useState<Deletion>('none');
  const [problem, setProblem] = useState<ParleyErrorCode | null>(null);
  const group = useRef<HTMLDivElement>(null);
  const asked = deletion !== 'none' && deletion !== 'done';
  useLayoutEffect(() => {
    if (asked) group.current?.querySelector<HTMLElement>('.pair button')?.focus();
  }, [asked]);

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
    void printConversation(panel, conversation.transcript.value.turns.length);
  };
  const erase = async () => {
    if (!session || deletion === 'running') return;
    setDeletion('running');
    // What has the focus goes with the conversation.
    const end = conversation.session.subscribe((now) => now === session || focus('summary'));
    const isErased = await attempt(conversation.erase);
    end();
    setDeletion(isErased ? 'done' : 'failed');
  };

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
          <button
            type="button"
            class="menu-item delete"
            aria-expanded={asked}
            onClick={() => setDeletion(asked ? 'none' : 'asked')}
          >
            {label('deleteData')}
          </button>
          {asked && (
            <div class="confirm" role="group" aria-label={label('deleteData')}>
              <p>
                {label('deleteMeans')} {conversation.visitor.value && label('deleteOthers')}
              </p>
              <div class="pair">
                <button
                  type="button"
                  class="button small"
                  onClick={() => {
                    focus('.delete');
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
      )}
      <div role="status">
        {problem && (
          <p class="problem">
            {errorText(problem, label)} {deletion === 'failed' && label('notDeleted')}
          </p>
        )}
        {deletion === 'done' && <p>{label('deleted')}</p>}
      </div>
    </div>
  );
}
