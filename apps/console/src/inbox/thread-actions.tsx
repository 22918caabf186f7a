import type { ThreadView } from '@parley/protocol/settings/inbox';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast, member } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { useColleagues } from './colleagues.ts';
import { HandBackDialog } from './hand-back-dialog.tsx';
import { useKeys } from './use-keys.ts';

interface ThreadActionsProps {
  readonly id: string;
  readonly tenantId: string;
  readonly thread: ThreadView;
  readonly reload: () => Promise<void>;
  readonly onFailure: (sentence: string | null) => void;
}

/** Who answers and who looks after it, for whoever may change that. */
export function ThreadActions({ id, tenantId, thread, reload, onFailure }: ThreadActionsProps) {
  const { holder, assignee } = thread;
  const known = useColleagues(tenantId);
  const colleagues = known.colleagues ?? [];
  const [isBusy, setBusy] = useState(false);
  /** Who answered when handing back was asked for; null: it is not. */
  const [handsBackOf, setHandsBackOf] = useState<string | null>(null);
  const own = member.value?.id;
  const mayHandBack = holder !== null && (holder.id === own || isAtLeast('admin'));
  const askToHandBack = () => setHandsBackOf(holder?.id ?? null);
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
  // Whoever looks after it may be nobody’s colleague any more.
  const isKnown =
    assignee === null || assignee.id === own || colleagues.some(({ id: of }) => of === assignee.id);
  const choices = [
    ...(own === undefined ? [] : [{ id: own, name: 'You' }]),
    ...colleagues.filter(({ id: of }) => of !== own),
    ...(isKnown ? [] : [assignee]),
  ];
  const assign = (memberId: string | null) => {
    const name = choices.find(({ id: of }) => of === memberId)?.name;
    const who = memberId === own ? 'You look' : name === undefined ? 'Nobody looks' : `${name} looks`;
    return doing('assign', { memberId }, `${who} after it now.`);
  };
  useKeys({
    i: own === undefined ? undefined : () => void assign(assignee?.id === own ? null : own),
    t: holder === null ? () => void takeOver() : undefined,
    e: mayHandBack ? askToHandBack : undefined,
  });
  return (
    <div class="actions">
      <select
        aria-label="Looked after by"
        value={assignee?.id ?? ''}
        {...known.listEvents}
        onInput={({ currentTarget }) => void assign(currentTarget.value || null)}
      >
        <option value="">Nobody looks after it</option>
        {choices.map(({ id: of, name }) => (
          <option key={of} value={of}>
            {name}
          </option>
        ))}
      </select>
      {holder === null && (
        <button type="button" class="button primary" disabled={isBusy} onClick={() => void takeOver()}>
          Take over
        </button>
      )}
      {mayHandBack && (
        <button type="button" class="button" disabled={isBusy} onClick={askToHandBack}>
          Hand back…
        </button>
      )}
      {handsBackOf !== null && (
        <HandBackDialog
          id={id}
          isOvertaken={holder?.id !== handsBackOf}
          onDone={() => {
            announce('The agent answers again.');
            void reload();
          }}
          onOvertaken={() =>
            announce(
              `Somebody else was faster: ${holder ? `${holder.name} answers now.` : 'the agent answers again.'}`,
            )
          }
          onFailure={() => void reload()}
          onClose={() => setHandsBackOf(null)}
        />
      )}
    </div>
  );
}
