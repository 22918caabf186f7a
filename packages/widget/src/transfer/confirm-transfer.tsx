import { ParleyError, type ParleyErrorCode } from '@parley/client/error';
import { useState } from 'preact/hooks';
import { CardIcon } from '../ui/card-icon.tsx';
import { errorText } from '../ui/error-text.ts';
import { useWidget } from '../widget-context.ts';
import { useTransferWords } from './words.ts';

/**
 * Asks before the conversation of another browser is gone on with: whoever is only sent a link would otherwise write to
 * somebody else, and what looks at links before people do would use it up.
 */
export function ConfirmTransfer({ token, done }: { token: string; done: () => void }) {
  const { conversation, label } = useWidget();
  const word = useTransferWords();
  const [state, setState] = useState<'asked' | 'busy' | ParleyErrorCode>('asked');
  const isOver = state === 'SESSION_NOT_FOUND';
  const isAsked = state === 'asked' || state === 'busy';
  const receive = async () => {
    setState('busy');
    try {
      await conversation.receive(token);
      done();
    } catch (error) {
      setState(error instanceof ParleyError ? error.code : 'PROTOCOL');
    }
  };
  return (
    <div class="notice arrival" role="group" aria-label={word('arrival')}>
      {!isAsked && <CardIcon name="alert" />}
      <p role="status">{isAsked ? word('arrival') : isOver ? word('linkOver') : errorText(state, label)}</p>
      <span class="pair">
        <button type="button" class="button small" onClick={done}>
          {label(isOver ? 'close' : 'cancel')}
        </button>
        {!isOver && (
          <button
            type="button"
            class="button small primary"
            disabled={state === 'busy'}
            onClick={() => void receive()}
          >
            {label(isAsked ? 'resume' : 'retry')}
          </button>
        )}
      </span>
    </div>
  );
}
