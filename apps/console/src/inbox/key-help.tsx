import { useRef } from 'preact/hooks';
import { useKeys } from './use-keys.ts';

const keys = [
  ['j', 'The next conversation'],
  ['k', 'The one before'],
  ['/', 'Search'],
  ['i', 'Look after it, or no longer'],
  ['t', 'Take over'],
  ['r', 'Reply to the visitor'],
  ['a', 'Answer what the agent asks'],
  ['A', 'Approve what the agent wants to do'],
  ['D', 'Decline it'],
  ['n', 'Write a note'],
  ['w', 'Tell the agent something'],
  ['e', 'Hand back to the agent'],
  ['Esc', 'Leave what you write in'],
  ['?', 'This list'],
] as const;

export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({ '?': () => dialog.current?.showModal() });
  return (
    <>
      <button type="button" class="button" onClick={() => dialog.current?.showModal()}>
        Keyboard
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keyboard</h2>
        <dl class="keys">
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <div class="actions">
            <button class="button">Close</button>
          </div>
        </form>
      </dialog>
    </>
  );
}
