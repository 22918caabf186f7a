import type { ThreadView } from '@parley/protocol/settings/inbox';
import { useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { member, tenantOf } from '../api/member.ts';
import { useForm } from '../ui/use-form.ts';
import { leaveField } from './leave-field.ts';
import { isRefused, messageIdOf } from './message-id.ts';
import { useKeys } from './use-keys.ts';

interface ComposeProps {
  readonly id: string;
  readonly tenantId: string;
  readonly thread: ThreadView;
  readonly isEnded: boolean;
  readonly reload: () => Promise<void>;
  readonly onFailure: (sentence: string | null) => void;
}

type Kind = 'reply' | 'note' | 'whisper';

const paths: Record<Kind, string> = { reply: 'messages', note: 'notes', whisper: 'whisper' };
const names: Record<Kind, string> = { reply: 'Reply', note: 'Note', whisper: 'To the agent' };
const labels: Record<Kind, string> = {
  reply: 'Reply to the visitor',
  note: 'Note for the team',
  whisper: 'Line for the agent',
};
const placeholders: Record<Kind, string> = {
  reply: 'Write to the visitor…',
  note: 'Write a note that only the team sees…',
  whisper: 'Tell the agent something that the visitor does not see…',
};

const allKinds: readonly Kind[] = ['reply', 'note', 'whisper'];

const nothingSent = { messageId: '', messageText: '' };

/** What a member writes: to the visitor, in a conversation that they hold, to the team, or to the agent while it answers. */
export function Compose({ id, tenantId, thread, isEnded, reload, onFailure }: ComposeProps) {
  const isHeld = !isEnded && thread.holder !== null && thread.holder.id === member.value?.id;
  const isAgents = !isEnded && thread.holder === null;
  const may: Readonly<Record<Kind, boolean>> = { reply: isHeld, note: true, whisper: isAgents };
  /** Null: nothing was chosen, and the field is what can be sent. */
  const [chosen, setKind] = useState<Kind | null>(null);
  const { values, latestValues, set, change } = useForm({
    name: `inbox ${id}`,
    initial: { reply: '', note: '', whisper: '', ...nothingSent },
  });
  // What was begun stays on the screen where it cannot be sent by now.
  const kinds = allKinds.filter((each) => may[each] || values[each] !== '' || each === chosen);
  const kind = chosen ?? (kinds.includes('reply') ? 'reply' : 'note');
  const isUnsendable = !may[kind];
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const replies = tenantOf(tenantId)?.team?.replies ?? [];
  const text = values[kind];
  /** What is being written stays what it was begun as: half of a note is nothing for the visitor. */
  const write = (value: string) => {
    setKind(kind);
    set(kind, value);
  };

  const wasHeld = useRef(isHeld);
  useEffect(() => {
    const isTakenOver = isHeld && !wasHeld.current;
    wasHeld.current = isHeld;
    const at = document.activeElement;
    if (at === field.current) return;
    if (isTakenOver) {
      // Who writes elsewhere goes on there: the rest of what they search for is nothing for the visitor.
      if (!at?.matches('input, textarea')) field.current?.focus();
      setKind('reply');
    } else if (isUnsendable && text === '') setKind(null);
  }, [isHeld, isAgents]);
  const begin = (wanted: Kind) =>
    kinds.includes(wanted)
      ? () => {
          // The focus keeps what the field was.
          field.current?.focus();
          setKind(wanted);
        }
      : undefined;
  useKeys({ r: begin('reply'), n: begin('note'), w: begin('whisper') });

  const send = async () => {
    const said = text.trim();
    if (said === '' || isBusy || isUnsendable) return;
    setBusy(true);
    try {
      const messageId = messageIdOf(values, said);
      if (kind === 'reply') change({ messageId, messageText: said });
      const body = { text: said, ...(kind === 'reply' && { id: messageId }) };
      await call('POST', `/conversations/${id}/${paths[kind]}`, body);
      const written = latestValues()[kind];
      // What was written meanwhile behind it is the beginning of the next.
      const rest = written.startsWith(text) ? written.slice(text.length).trimStart() : written;
      change({ [kind]: rest, ...(kind === 'reply' && nothingSent) });
      onFailure(null);
    } catch (error) {
      if (kind === 'reply' && isRefused(error)) change(nothingSent);
      onFailure(sentenceOf(error));
    }
    setBusy(false);
    await reload();
    // The button that was pressed has lost the focus, to nothing; who has gone elsewhere stays there.
    const at = document.activeElement;
    if (at === document.body || field.current?.form?.contains(at)) field.current?.focus();
  };

  return (
    <form
      class="compose"
      data-kind={kind}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {kinds.length > 1 && (
        <div class="compose-kinds" role="group" aria-label="What you write">
          {kinds.map((each) => (
            <button
              key={each}
              type="button"
              class="button small"
              aria-pressed={kind === each}
              onClick={() => setKind(each)}
            >
              {names[each]}
            </button>
          ))}
          {kind === 'reply' && replies.length > 0 && (
            <select
              aria-label="Put in a saved reply"
              value=""
              onInput={({ currentTarget }) => {
                const reply = replies[Number(currentTarget.value)];
                currentTarget.value = '';
                if (reply) write(text === '' ? reply.text : `${text}\n${reply.text}`);
                field.current?.focus();
              }}
            >
              <option value="">Saved replies…</option>
              {replies.map(({ name }, place) => (
                <option key={place} value={place}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </div>
      )}
      <textarea
        ref={field}
        rows={3}
        maxLength={8_000}
        dir="auto"
        aria-label={labels[kind]}
        placeholder={placeholders[kind]}
        value={text}
        // It stays what it is under whoever is in it, whoever answers meanwhile.
        onFocus={() => setKind(kind)}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') leaveField(event.currentTarget);
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <div class="actions">
        <span class="meta hint" role="status">
          {hintOf(kind, thread, { isHeld, isEnded, isUnsendable })}
        </span>
        <button type="submit" class="button primary" disabled={isBusy || isUnsendable || text.trim() === ''}>
          {kind === 'note' ? 'Add note' : 'Send'}
        </button>
      </div>
    </form>
  );
}

interface Standing {
  readonly isHeld: boolean;
  readonly isEnded: boolean;
  readonly isUnsendable: boolean;
}

/** How to send what is written, or why that cannot be. */
function hintOf(kind: Kind, { holder }: ThreadView, { isHeld, isEnded, isUnsendable }: Standing): string {
  if (isUnsendable && isEnded) return 'The conversation has ended.';
  if (isUnsendable && kind === 'whisper' && holder !== null) return 'The agent does not answer now.';
  if (!isHeld && !isEnded && holder !== null) return `${holder.name} answers the visitor now.`;
  return isHeld || isEnded ? 'Enter sends, Shift+Enter is a new line.' : 'Take over to write to the visitor.';
}
