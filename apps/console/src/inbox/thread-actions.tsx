import type { ThreadView } from '@parley/protocol/settings/inbox';
import { useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast, member } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { HandBackDialog } from './hand-back-dialog.tsx';
import { isTyping } from './is-typing.ts';

interface ThreadActionsProps {
  readonly id: string;
  readonly thread: ThreadView;
  readonly reload: () => Promise<void>;
  readonly onFailure: (sentence: string | null) => void;
}

/** Who answers and who looks after it, for whoever may change that. */
export function ThreadActions({ id, thread, reload, onFailure }: ThreadActionsProps) {
  const { holder, assignee } = thread;
  const [isBusy, setBusy] = useState(false);
  const [isHandingBack, setHandingBack] = useState(false);
  const own = member.value?.id;
  const mayHandBack = holder !== null && (holder.id === own || isAtLeast('admin'));
  const doing = async (path: string, body: unknown, done: string) => {
    setBusy(true);
    try {
      await call('POST', `/conversations/${id}/${path}`, body);
      onFailure(null);
      // What the room shows is what was said to have happened.
      await reload();
      announce(done);
    } catch (error) {
      onFailure(sentenceOf(error));
      await reload();
    }
    setBusy(false);
  };
  const takeOver = () => doing('take-over', undefined, 'You answer now. The agent is not asked.');
  const latest = useRef({ takeOver, mayHandBack, holder });
  latest.current = { takeOver, mayHandBack, holder };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      const { takeOver: take, mayHandBack: may, holder: who } = latest.current;
      if (event.key === 't' && who === null) void take();
      if (event.key === 'e' && may) setHandingBack(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const isOwn = assignee !== null && assignee.id === own;
  return (
    <div class="actions">
      {own !== undefined && (
        <button
          type="button"
          class="button"
          disabled={isBusy}
          onClick={() =>
            void doing(
              'assign',
              { memberId: isOwn ? null : own },
              isOwn ? 'Nobody looks after it now.' : 'You look after it now.',
            )
          }
        >
          {isOwn ? 'Unassign' : 'Assign to me'}
        </button>
      )}
      {holder === null && (
        <button type="button" class="button primary" disabled={isBusy} onClick={() => void takeOver()}>
          Take over
        </button>
      )}
      {mayHandBack && (
        <button type="button" class="button" disabled={isBusy} onClick={() => setHandingBack(true)}>
          Hand back…
        </button>
      )}
      {isHandingBack && (
        <HandBackDialog
          id={id}
          onDone={() => {
            announce('The agent answers again.');
            void reload();
          }}
          onClose={() => setHandingBack(false)}
        />
      )}
    </div>
  );
}
